//! Ctrl-C and its like: the first stops cleanly, the second at once.

use tokio::runtime::Builder;

use crate::failure::ExitCode;

/// Returns when the user interrupts the process.
pub(super) async fn interrupted() {
    signal().await;
}

/// Ends the process at once when the user interrupts it from now on: cleaning up may hang on a dead
/// disk. The runtime that winds down can wait for nothing, so a thread of its own does.
pub(super) fn exit_at_next_interruption() {
    std::thread::spawn(|| {
        let runtime = Builder::new_current_thread().enable_all().build();
        match runtime {
            Ok(runtime) => {
                runtime.block_on(signal());
                exit_now();
            }
            Err(error) => log::debug!("cannot wait for a second interruption: {error}"),
        }
    });
}

#[expect(clippy::exit, reason = "the user asked twice")]
fn exit_now() {
    std::process::exit(ExitCode::Interrupted.number().into());
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let streams = (
        signal(SignalKind::terminate()),
        signal(SignalKind::hangup()),
    );
    let (Ok(mut terminate), Ok(mut hang_up)) = streams else {
        log::debug!("cannot wait for signals");
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = hang_up.recv() => {}
        result = tokio::signal::ctrl_c() => ignore_unavailable(result).await,
    }
}

/// Lets a limit on the size of files fail a write, instead of ending the process without a word.
#[cfg(unix)]
pub(super) fn outlive_file_size_limit() {
    use tokio::signal::unix::{SignalKind, signal};
    /// `SIGXFSZ` on Linux, macOS and the BSDs.
    const FILE_SIZE_EXCEEDED: i32 = 25;
    // A signal with a handler does nothing by itself, and the handler stays.
    if let Err(error) = signal(SignalKind::from_raw(FILE_SIZE_EXCEEDED)) {
        log::debug!("a limit on the size of files will end the process: {error}");
    }
}

/// There is no such signal.
#[cfg(not(unix))]
pub(super) fn outlive_file_size_limit() {}

#[cfg(not(unix))]
async fn signal() {
    ignore_unavailable(tokio::signal::ctrl_c().await).await;
}

/// Where signals cannot be caught, the system's default action applies and nothing comes here.
async fn ignore_unavailable(result: std::io::Result<()>) {
    if let Err(error) = result {
        log::debug!("cannot wait for the interrupt signal: {error}");
        std::future::pending::<()>().await;
    }
}
