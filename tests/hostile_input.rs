//! Whatever strangers write, no parser panics, and what it accepts it keeps: seeds are the conformance vectors,
//! mutated by chance.
//!
//! ```sh
//! PROVENDER_FUZZ_SECONDS=60 cargo test --release --test hostile_input
//! ```
//!
//! mutates longer: a minute for each parser. A failure names its seed; `PROVENDER_SEED=...` finds it again.
//! The package in `fuzz` gives the same parsers to libFuzzer, which looks at the code that an input reaches.

#[cfg(test)]
mod hostile_input {
    mod fuzz_package;
    mod mutation;
    mod searches;
    mod targets;
}
