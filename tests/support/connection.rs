//! One connection of the test server: read a request, ask the server's state for the script, perform it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::request;
use super::script::{Script, Step};
use super::state::State;

/// Time between the last byte and a reset.
const RESET_DELAY: Duration = Duration::from_millis(20);

/// A stream that gives access to its socket, so that it can be reset.
pub(super) trait Wire: AsyncRead + AsyncWrite + Unpin + Send {
    /// The socket below.
    fn socket(&self) -> &TcpStream;
}

impl Wire for TcpStream {
    fn socket(&self) -> &TcpStream {
        self
    }
}

impl Wire for TlsStream<TcpStream> {
    fn socket(&self) -> &TcpStream {
        self.get_ref().0
    }
}

/// Accepts connections until the runtime ends; without an acceptor in plain HTTP.
pub(super) async fn accept(
    listener: TcpListener,
    acceptor: Option<TlsAcceptor>,
    state: Arc<State>,
) {
    while let Ok((stream, _)) = listener.accept().await {
        // Head and body are written one after the other; without this each answer waits for the client's
        // delayed acknowledgement. A socket that refuses is only slower.
        let _only_slower = stream.set_nodelay(true);
        let (acceptor, state) = (acceptor.clone(), Arc::clone(&state));
        tokio::spawn(async move {
            let connection = state.connection_opened();
            // Whatever goes wrong here is the client's to notice: the tests look at what it does then.
            let _ended = match acceptor {
                None => serve(stream, &state, connection.number()).await,
                Some(acceptor) => match acceptor.accept(stream).await {
                    Ok(stream) => serve(stream, &state, connection.number()).await,
                    Err(error) => Err(error),
                },
            };
        });
    }
}

async fn serve<S: Wire>(mut stream: S, state: &State, connection: usize) -> io::Result<()> {
    let mut buffer = Vec::new();
    while let Some(request) = request::read(&mut stream, &mut buffer, connection).await? {
        let close = request.wants_close();
        let (script, _in_flight) = state.answer(request);
        if perform(&mut stream, script, state).await? == After::Close || close {
            break;
        }
    }
    stream.shutdown().await
}

/// What becomes of the connection after an answer.
#[derive(PartialEq, Eq)]
enum After {
    KeepAlive,
    Close,
}

async fn perform<S: Wire>(stream: &mut S, script: Script, state: &State) -> io::Result<After> {
    for step in script {
        match step {
            Step::Send(bytes) => stream.write_all(&bytes).await?,
            Step::Repeat(bytes) => repeat(stream, &bytes).await?,
            Step::Pause(time) => pause(stream, time).await?,
            Step::Hold => hold(stream, state).await?,
            Step::Close => return Ok(After::Close),
            Step::Reset => return reset(stream).await,
            Step::Vanish => {
                stream.flush().await?;
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
        }
    }
    stream.flush().await?;
    Ok(After::KeepAlive)
}

async fn repeat<S: Wire>(stream: &mut S, bytes: &[u8]) -> io::Result<()> {
    loop {
        stream.write_all(bytes).await?;
    }
}

async fn pause<S: Wire>(stream: &mut S, time: Duration) -> io::Result<()> {
    stream.flush().await?;
    sleep(time).await;
    Ok(())
}

/// Waits for the release. A client that says or closes anything meanwhile has given up.
async fn hold<S: Wire>(stream: &mut S, state: &State) -> io::Result<()> {
    stream.flush().await?;
    let mut byte = [0];
    tokio::select! {
        () = state.released() => Ok(()),
        _ = stream.read(&mut byte) => Err(io::ErrorKind::ConnectionAborted.into()),
    }
}

/// Flushes, then lets the kernel send RST instead of FIN; dropping the stream by the error skips the TLS farewell.
///
/// A reset overtakes data, so the client gets a moment to read what was sent. A slow client loses some of it
/// nevertheless: that is what a reset is.
async fn reset<S: Wire>(stream: &mut S) -> io::Result<After> {
    pause(stream, RESET_DELAY).await?;
    stream.socket().set_zero_linger()?;
    Err(io::ErrorKind::ConnectionReset.into())
}
