//! Randomness of the system, for states and verifiers.

use crate::failure::{ExitCode, Failure};

/// The system gives no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random bytes")]
pub struct RandomError(#[source] getrandom::Error);

impl Failure for RandomError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }
}

/// So many random bytes.
///
/// # Errors
///
/// If the system gives none.
pub fn random_bytes<const N: usize>() -> Result<[u8; N], RandomError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(RandomError)?;
    Ok(bytes)
}
