//! The port of the callback: one of those that the host allows, on both families of loopback (facts/login 2.2).

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::RangeInclusive;

use tokio::net::TcpListener;

use super::random::random_bytes;
use crate::failure::{ExitCode, Failure};

/// Sockets that wait for the callback.
#[derive(Debug)]
pub struct CallbackListener {
    port: u16,
    sockets: Vec<TcpListener>,
}

/// No port could be had.
#[derive(Debug, thiserror::Error)]
#[error("no port from {} to {} can be listened on", ports.start(), ports.end())]
pub struct ListenError {
    /// The ports that the host allows.
    pub ports: RangeInclusive<u16>,
    /// What the system said of the last one.
    pub source: io::Error,
}

impl Failure for ListenError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        vec![
            "end another login that is waiting, or the program that uses the port".to_owned(),
            "or read a token from standard input with `--token-stdin`".to_owned(),
        ]
    }
}

impl CallbackListener {
    /// Takes a free port of the range, both ends included: a random one, else the next free one after it.
    ///
    /// # Errors
    ///
    /// If all are busy.
    pub async fn bind(ports: RangeInclusive<u16>) -> Result<Self, ListenError> {
        let count = u32::from(*ports.end()) - u32::from(*ports.start()) + 1;
        // Without randomness the first port will do: its number is no secret.
        let random = random_bytes().map_or(0, u32::from_ne_bytes);
        let mut last = io::Error::from(ErrorKind::AddrInUse);
        for step in 0..count {
            let offset = (random % count + step) % count;
            let Ok(port) = u16::try_from(u32::from(*ports.start()) + offset) else {
                continue;
            };
            match sockets(port).await {
                Ok(sockets) => return Ok(Self { port, sockets }),
                Err(error) => last = error,
            }
        }
        Err(ListenError {
            ports,
            source: last,
        })
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn into_sockets(self) -> Vec<TcpListener> {
        self.sockets
    }
}

/// Browsers take `localhost` for either family. A port that another program has on one of them is of no use, since
/// that program would get the code; a machine without IPv6 is fine.
async fn sockets(port: u16) -> io::Result<Vec<TcpListener>> {
    let mut sockets = vec![TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?];
    match TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await {
        Ok(socket) => sockets.push(socket),
        Err(error) if error.kind() == ErrorKind::AddrInUse => return Err(error),
        Err(error) => log::debug!("not listening on `[::1]:{port}`: {error}"),
    }
    Ok(sockets)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three ports in a row, of which the second and third are free, with what keeps the first one busy.
    async fn first_of_three_busy() -> (u16, std::net::TcpListener) {
        loop {
            let busy = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let port = busy.local_addr().unwrap().port();
            if port < u16::MAX - 2
                && sockets(port + 1).await.is_ok()
                && sockets(port + 2).await.is_ok()
            {
                return (port, busy);
            }
        }
    }

    #[tokio::test]
    async fn every_port_of_the_inclusive_range_is_tried() {
        let (port, _busy) = first_of_three_busy().await;
        let listener = CallbackListener::bind(port..=port + 1).await.unwrap();
        assert_eq!(listener.port(), port + 1);
        let error = CallbackListener::bind(port..=port + 1).await.unwrap_err();
        assert_eq!(error.ports, port..=port + 1);
        let last = CallbackListener::bind(port + 2..=port + 2).await.unwrap();
        assert_eq!(last.port(), port + 2);
    }

    #[tokio::test]
    async fn port_that_another_program_has_on_the_other_family_is_busy() {
        let Ok(other) = std::net::TcpListener::bind("[::1]:0") else {
            return;
        };
        let port = other.local_addr().unwrap().port();
        assert!(CallbackListener::bind(port..=port).await.is_err());
    }
}
