//! The providers that mirrored modules require, which are mirrored with them.

use super::MirrorModulesRequest;
use super::trip::{Start, Trip};
use crate::ops::mirror::wishes::wishes_of_required;
use crate::ops::root_requirements::requirements_of_tree;
use crate::ops::{ModuleOutcome, OpError, Reporter, Wish};

/// What became of the modules.
pub struct MirroredModules {
    /// One entry for each package.
    pub outcomes: Vec<ModuleOutcome>,
    /// Root modules that cannot be read, and modules without a version that will do.
    pub failures: Vec<OpError>,
    pub(super) trips: Vec<Trip>,
}

/// The providers that mirrored modules and root modules require.
pub fn wishes_of_modules(
    modules: MirroredModules,
    request: &MirrorModulesRequest,
    reporter: &dyn Reporter,
) -> (Vec<Wish>, Vec<ModuleOutcome>, Vec<OpError>) {
    let (mut wishes, mut failures) = (Vec::new(), modules.failures);
    for trip in modules.trips {
        match wishes_of_trip(trip, request, reporter, &mut failures) {
            Ok(of_trip) => wishes.extend(of_trip),
            Err(error) => failures.push(error),
        }
    }
    (wishes, modules.outcomes, failures)
}

fn wishes_of_trip(
    trip: Trip,
    request: &MirrorModulesRequest,
    reporter: &dyn Reporter,
    failures: &mut Vec<OpError>,
) -> Result<Vec<Wish>, OpError> {
    match trip.start {
        Start::Root(root) => {
            let required = requirements_of_tree(trip.walk, trip.completeness, &root, reporter)?;
            wishes_of_required(required, &root, request.options, reporter)
        }
        Start::Version(..) => {
            let required = trip.walk.requirements();
            for failure in trip.walk.failures {
                if failure.problem.is_dynamic() {
                    reporter.warning(&format!("{failure}: {}", failure.problem));
                } else {
                    failures.push(OpError::ModuleCall(Box::new(failure)));
                }
            }
            let wish = |(addr, constraints)| Wish {
                addr,
                constraints,
                choice: request.options.choice(),
                locked: Vec::new(),
            };
            Ok(required.into_iter().map(wish).collect())
        }
    }
}
