//! Versions and Terraform's constraint language (facts/providers 11).
//!
//! Floor 0. Text is parsed once; what follows chooses the same version as the tools do, defects of
//! their precedence included, because a mirror that chose another one would be useless to them.

mod constraint;
mod constraints;
mod constraints_error;
mod module_constraints;
mod module_version;
mod number;
mod precedence;
mod scan;

pub use constraint::{Constraint, ConstraintOp, Prereleases};
pub use constraints::VersionConstraints;
pub use constraints_error::{ConstraintsError, TermProblem};
pub use module_constraints::{ModuleConstraints, ModuleConstraintsError, NamedPrerelease};
pub use module_version::{ModuleVersion, ModuleVersionError};
pub use number::{Version, VersionError};
