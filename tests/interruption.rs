//! Sudden death at any instant: the built binary is killed while it works, over and over, and each time what it left is
//! looked at before and after the next run.
//!
//! A short form runs with all other tests. The full form, of at least 200 kills:
//!
//! ```sh
//! PROVENDER_KILLS=200 cargo test --test interruption -- --nocapture
//! ```
//!
//! The instants are drawn from a seed, which a failure names; `PROVENDER_SEED=...` draws the same ones again.

/// The registry and the place to run in.
pub mod support;

#[cfg(all(test, unix))]
mod interruption {
    mod campaign;
    mod chance;
    mod install;
    mod mirror;
    mod modules;
    mod scene;
    mod states;
}
