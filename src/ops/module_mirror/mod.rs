//! `mirror` and `verify --mirror`, the parts for modules: whole trees of them, from addresses and root modules, into a mirror.
//!
//! The trees are walked together, level by level: the calls that are open are resolved, each package is taken into
//! the mirror once, and what it calls is open next. What the far side needs to use it is written at the end.

mod error;
mod expected;
mod far_side;
mod fix;
mod mirror;
mod packages;
mod remote;
mod request;
mod trip;
mod verify;
mod wishes;

pub use error::ModuleMirrorError;
pub use far_side::write_far_side;
pub use fix::fix_modules;
pub use mirror::mirror_modules;
pub use request::{Dependencies, MirrorEffect, MirrorModulesRequest};
pub use verify::{VerifiedModules, verify_modules};
pub use wishes::{MirroredModules, wishes_of_modules};
