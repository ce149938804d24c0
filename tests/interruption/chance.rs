//! Instants by chance, which can be drawn again.

use std::collections::hash_map::RandomState;
use std::env;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// The longest time between a request and a kill that goes by it. Answers are slowed down to a few times this.
const LONGEST_DELAY: u64 = 25_000;

/// When to kill.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instant {
    /// So long after the start.
    After(Duration),
    /// So long after so many requests have arrived. The phases of a run are of very different lengths; this gives the
    /// short ones their share.
    Request { count: usize, delay: Duration },
}

/// How many kills all campaigns make together.
pub(super) fn kills() -> usize {
    number("PROVENDER_KILLS").map_or(25, |kills| usize::try_from(kills).expect("a small number"))
}

/// The seed of this run: the one asked for, else a new one.
pub(super) fn seed() -> u64 {
    number("PROVENDER_SEED").unwrap_or_else(|| RandomState::new().build_hasher().finish())
}

fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{variable} is no number: {text}")))
}

/// The source of the `round`th round's instants.
pub(super) fn dice(seed: u64, round: usize) -> StdRng {
    StdRng::seed_from_u64(seed.wrapping_add(round as u64))
}

/// Draws an instant of a run that takes so long and makes so many requests when nobody disturbs it.
pub(super) fn draw(dice: &mut StdRng, time: Duration, requests: usize) -> Instant {
    if dice.gen_bool(0.4) {
        return Instant::After(time.mul_f64(dice.gen_range(0.0..1.05)));
    }
    let count = dice.gen_range(1..=requests);
    let delay = Duration::from_micros(dice.gen_range(0..LONGEST_DELAY));
    Instant::Request { count, delay }
}
