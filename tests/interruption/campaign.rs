//! A campaign: rounds of kills over one command, each round in an empty place.
//!
//! Of a round: up to three kills one after the other, so that what a killed run left is also there when the next one is
//! killed; after each kill the state is judged; then a run to the end, and another one that must find nothing to do.

use std::time::Duration;

use rand::Rng;

use super::chance::{self, Instant};
use super::scene::Scene;
use super::states::{Verdict, expect};

/// The most kills in one place.
const KILLS_IN_A_ROW: usize = 3;

/// How many campaigns share the kills.
pub(super) const CAMPAIGNS: usize = 6;

/// A command, and what is to hold for it.
pub(super) struct Campaign {
    pub(super) arguments: Vec<String>,
    /// Puts into an empty place what the command needs.
    pub(super) prepare: fn(&Scene),
    /// Whether everything under a final name is good.
    pub(super) judge: fn(&Scene) -> Verdict,
    /// The archives that need not be fetched any more, as paths on the registry.
    pub(super) complete: fn(&Scene) -> Result<Vec<String>, String>,
    /// How many archives are fetched into an empty place.
    pub(super) archives: usize,
    /// What is there at the end.
    pub(super) result: fn(&Scene) -> Vec<String>,
}

/// A run that nobody disturbs.
struct Undisturbed {
    time: Duration,
    requests: usize,
    result: Vec<String>,
}

impl Campaign {
    /// Runs all rounds.
    #[expect(
        clippy::print_stdout,
        reason = "the full form is run to see how many kills were survived"
    )]
    pub(super) fn run(&self) {
        let seed = chance::seed();
        let mut scene = Scene::new();
        let undisturbed = self.undisturbed(&mut scene);
        let kills = chance::kills().div_ceil(CAMPAIGNS);
        let (mut killed, mut round) = (0, 0);
        while killed < kills {
            scene.renew();
            (self.prepare)(&scene);
            let mut instants = Vec::new();
            if let Err(fault) = self.round(&scene, seed, round, &undisturbed, &mut instants) {
                panic!(
                    "{fault}\nafter kills at {instants:?}, in round {round}; again by PROVENDER_SEED={seed} PROVENDER_KILLS={}",
                    chance::kills()
                );
            }
            killed += instants.len();
            round += 1;
        }
        println!("{killed} kills in {round} rounds, seed {seed}");
    }

    fn undisturbed(&self, scene: &mut Scene) -> Undisturbed {
        // The first run of a program is slower than later ones.
        for _ in 0..2 {
            scene.renew();
            (self.prepare)(scene);
            scene.run(&self.arguments).0.expect_code(0);
        }
        scene.renew();
        (self.prepare)(scene);
        let (outcome, time) = scene.run(&self.arguments);
        outcome.expect_code(0);
        assert_eq!(scene.fetched().len(), self.archives);
        (self.judge)(scene).expect("an undisturbed run is right");
        Undisturbed {
            time,
            requests: scene.registry.requests().len(),
            result: (self.result)(scene),
        }
    }

    fn round(
        &self,
        scene: &Scene,
        seed: u64,
        round: usize,
        undisturbed: &Undisturbed,
        instants: &mut Vec<Instant>,
    ) -> Verdict {
        let mut dice = chance::dice(seed, round);
        for _ in 0..dice.gen_range(1..=KILLS_IN_A_ROW) {
            let complete = (self.complete)(scene)?;
            let instant = chance::draw(&mut dice, undisturbed.time, undisturbed.requests);
            instants.push(instant);
            scene.kill_at(&self.arguments, instant);
            fetches_nothing_of(scene, &complete)?;
            (self.judge)(scene)?;
        }
        let complete = (self.complete)(scene)?;
        self.finish(scene, &complete, undisturbed)
    }

    /// The next run completes, and the one after it has nothing to fetch.
    fn finish(&self, scene: &Scene, complete: &[String], undisturbed: &Undisturbed) -> Verdict {
        let (outcome, _) = scene.run(&self.arguments);
        expect(
            outcome.code == 0,
            &format!("the next run failed\n{outcome}"),
        )?;
        fetches_nothing_of(scene, complete)?;
        (self.judge)(scene)?;
        let result = (self.result)(scene);
        expect(
            result == undisturbed.result,
            &format!(
                "the next run leaves {result:#?}\ninstead of {:#?}",
                undisturbed.result
            ),
        )?;
        let (outcome, _) = scene.run(&self.arguments);
        expect(
            outcome.code == 0,
            &format!("the last run failed\n{outcome}"),
        )?;
        let fetched = scene.fetched();
        expect(
            fetched.is_empty(),
            &format!("the last run fetched {fetched:?}"),
        )
    }
}

fn fetches_nothing_of(scene: &Scene, complete: &[String]) -> Verdict {
    let fetched = scene.fetched();
    match fetched.iter().find(|path| complete.contains(path)) {
        Some(path) => Err(format!("`{path}` was complete and is fetched again")),
        None => Ok(()),
    }
}
