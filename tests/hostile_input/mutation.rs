//! Changes by chance, and the search for a panic.

use std::collections::hash_map::RandomState;
use std::env;
use std::hash::{BuildHasher, Hasher};
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

use super::targets::Target;

/// Pieces that mean something in one of the formats.
const PIECES: [&[u8]; 28] = [
    b"\"",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\\",
    b"\n",
    b"\r",
    b"\0",
    b"${",
    b"}}",
    b"<<A\n",
    b"/*",
    b"//",
    b"#",
    b"\\u{0}",
    b"\\ud800",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xe2\x80\xae",
    b"99999999999999999999",
    b"-1",
    b"h1:",
    b"PK\x03\x04",
    b"PK\x01\x02",
    b"\r\n",
    b"~> ",
    b"..",
];

fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    Some(text.parse().expect("a number"))
}

/// Whether there is to be another mutation after `done` ones.
struct Patience {
    mutations: u64,
    until: Option<Instant>,
}

impl Patience {
    /// So many seconds if they are chosen, else so many mutations.
    fn chosen() -> Self {
        let seconds = number("PROVENDER_FUZZ_SECONDS").map(Duration::from_secs);
        Self {
            mutations: number("PROVENDER_MUTATIONS").unwrap_or(1500),
            until: seconds.map(|seconds| Instant::now() + seconds),
        }
    }

    fn lasts(&self, done: u64) -> bool {
        match self.until {
            Some(until) => Instant::now() < until,
            None => done < self.mutations,
        }
    }
}

/// Feeds every seed, and mutations of them; a panic is told with the input.
pub(super) fn search(target: &Target) {
    let chance =
        number("PROVENDER_SEED").unwrap_or_else(|| RandomState::new().build_hasher().finish());
    let (seeds, patience) = ((target.seeds)(), Patience::chosen());
    let mut dice = StdRng::seed_from_u64(chance);
    for seed in &seeds {
        attempt(target, seed, chance);
    }
    let mut done = 0;
    while patience.lasts(done) {
        let seed = seeds.choose(&mut dice).expect("there are seeds");
        let mut input = seed.clone();
        for _ in 0..dice.gen_range(1..6) {
            mutate(&mut input, &seeds, &mut dice);
        }
        attempt(target, &input, chance);
        done += 1;
    }
    assert!(done > 0, "nothing was tried");
}

fn attempt(target: &Target, input: &[u8], chance: u64) {
    let survived = catch_unwind(|| (target.feed)(input));
    assert!(
        survived.is_ok(),
        "panic of `{}` by \"{}\"; again by PROVENDER_SEED={chance}",
        target.name,
        input.escape_ascii()
    );
}

fn mutate(input: &mut Vec<u8>, seeds: &[Vec<u8>], dice: &mut StdRng) {
    let at = dice.gen_range(0..=input.len());
    let end = dice.gen_range(at..=input.len().min(at + 64));
    match dice.gen_range(0..7) {
        0 => input.truncate(at),
        1 => drop(input.drain(at..end)),
        2 => {
            let copied = input[at..end].to_vec();
            input.splice(at..at, copied);
        }
        3 => {
            let piece = PIECES.choose(dice).expect("there are pieces");
            input.splice(at..end, piece.iter().copied());
        }
        4 => {
            let other = seeds.choose(dice).expect("there are seeds");
            let from = dice.gen_range(0..=other.len());
            let to = dice.gen_range(from..=other.len().min(from + 256));
            input.splice(at..end, other[from..to].iter().copied());
        }
        5 if at < input.len() => input[at] = dice.r#gen(),
        _ if at < input.len() => input[at] ^= 1 << dice.gen_range(0..8),
        _ => input.push(dice.r#gen()),
    }
}
