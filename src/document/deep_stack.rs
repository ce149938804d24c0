//! Work that recurses along its input, on a stack that is large enough for it.

use std::io;
use std::thread;

/// The HCL reader allows 64 levels of nesting, each of which may take more than 30 KiB in a build without
/// optimisation: too much for the 2 MiB that threads have by default.
const STACK_BYTES: usize = 32 << 20;

/// Runs `work` on a thread of its own and waits for it. A panic of the work goes on here.
///
/// # Errors
///
/// Returns what the system says if it has no thread left.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)?;
        Ok(worker
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
