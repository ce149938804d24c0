//! `mirror` of providers: from wishes to a plan, and from the plan to what lies in the mirror. Modules: see `module_mirror`.

pub(super) mod key_trust;
pub(super) mod lock;
pub(super) mod plan;
pub(super) mod run;
pub(super) mod wishes;
