//! Work that recurses along its input, on a stack that is large enough for it.

use std::cell::Cell;
use std::io;
use std::thread::{self, Scope, ScopedJoinHandle};

/// The HCL reader allows 64 levels of nesting, each of which may take more than 30 KiB in a build without
/// optimisation: too much for the 2 MiB that threads have by default.
const STACK_BYTES: usize = 32 << 20;

thread_local! {
    /// Whether this thread has such a stack.
    static IS_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a thread of its own and waits for it, unless this thread will do. A panic of the work goes on here.
///
/// # Errors
///
/// Returns what the system says if it has no thread left.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    if IS_DEEP.get() {
        return Ok(work());
    }
    thread::scope(|scope| {
        let worker = spawn_deep(scope, work)?;
        Ok(worker
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Starts a thread on which [`on_deep_stack`] needs no other one.
///
/// # Errors
///
/// Returns what the system says if it has no thread left.
pub fn spawn_deep<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let builder = thread::Builder::new().stack_size(STACK_BYTES);
    builder.spawn_scoped(scope, || {
        IS_DEEP.set(true);
        work()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_thread_serves_what_is_nested_in_it() {
        let own = thread::current().id();
        let id = || thread::current().id();
        let (outer, inner) = on_deep_stack(|| (id(), on_deep_stack(id).unwrap())).unwrap();
        assert!(outer == inner && outer != own);
        assert!(on_deep_stack(id).unwrap() != own);
    }
}
