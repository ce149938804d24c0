//! Which module stands on which floor, and who may use whom.

/// The modules of the library, lowest floor first.
pub(super) const FLOORS: [&[&str]; 9] = [
    &["address", "failure", "hash", "secret", "version"],
    &["disk", "document"],
    &["config", "http"],
    &["auth"],
    &["package", "registry"],
    &["source", "store"],
    &["ops"],
    &["ui"],
    &["commands"],
];

/// The contract of all errors, small enough to be open to its neighbours too.
const OPEN: &str = "failure";

/// Whether code of `module` may name `other`.
pub(super) fn may_use(module: &str, other: &str) -> bool {
    module == other || other == OPEN || floor(other) < floor(module)
}

/// Whether `module` holds pure values: no files, no clock, nothing asynchronous.
pub(super) fn is_pure(module: &str) -> bool {
    module == "document" || FLOORS[0].contains(&module)
}

/// Unknown modules stand above all others, so that nothing may use them before they have a floor.
fn floor(module: &str) -> usize {
    FLOORS
        .iter()
        .position(|floor| floor.contains(&module))
        .unwrap_or(FLOORS.len())
}

#[test]
fn downward_is_allowed_and_nothing_else() {
    for (module, other, allowed) in [
        ("document", "address", true),
        ("commands", "ops", true),
        ("address", "failure", true),
        ("address", "address", true),
        ("address", "version", false),
        ("document", "disk", false),
        ("failure", "secret", false),
        ("http", "auth", false),
        ("ops", "ui", false),
        ("ops", "unheard_of", false),
    ] {
        assert_eq!(may_use(module, other), allowed, "{module} uses {other}");
    }
}
