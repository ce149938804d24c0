//! Errors are part of what strangers reach: their words are put together, too.

use provender::failure::Failure;
use provender::ui::render_error;

/// The value, or nothing once the error has been told in full.
pub(super) fn told<T, E: Failure>(outcome: Result<T, E>) -> Option<T> {
    match outcome {
        Ok(value) => Some(value),
        Err(error) => {
            assert!(render_error(&error).starts_with("error: "));
            None
        }
    }
}
