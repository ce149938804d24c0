//! Feeds `module_lock` of `tests/hostile_input/targets`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use provender_fuzz::feed;

fuzz_target!(|input: &[u8]| feed("module_lock", input));
