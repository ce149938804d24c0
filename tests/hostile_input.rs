//! Whatever strangers write, no parser panics: the seeds are the conformance vectors, mutated by chance.
//!
//! ```sh
//! PROVENDER_MUTATIONS=100000 cargo test --test hostile_input
//! ```
//!
//! mutates longer. A failure names the seed; `PROVENDER_SEED=...` finds it again.

#[cfg(test)]
mod hostile_input {
    mod corpus;
    mod mutation;
    mod parsers;
}
