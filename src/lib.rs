//! `provender`: provider vendoring for Terraform and OpenTofu.
//!
//! The program finds a registry, chooses versions, downloads packages of providers and modules, proves what can be
//! proved and places them: in a root module, in a local mirror directory, or in a mirror for the far side of an air gap.
//! It is one package, library and binary, so that tests and examples reach what the binary is made of;
//! the library promises nothing to other programs.
//!
//! # The flow
//!
//! Data flows one way: **words → requirements → plan → packages → proof → place → report**.
//!
//! | step | from what to what | where |
//! |---|---|---|
//! | read | command line, configuration of all modules, state and lock file → what is required | [`commands`], [`config`], [`document`] |
//! | resolve | requirements and what a [`source`] offers → what to fetch and what to keep | [`ops`] |
//! | fetch | where a package is → bytes on disk, hashed while they arrive | [`ops`], [`http`] |
//! | prove | fetched package → [`VerifiedPackage`](package::VerifiedPackage), which only the check makes | [`package`] |
//! | place | verified package → package cache, install directory, mirror | [`store`] |
//! | report | [`Summary`](ops::Summary) → text or JSON, exit code | [`ui`], [`commands`] |
//!
//! # The floors
//!
//! A module uses only modules below it, never a neighbour of its own floor and never one above. A test
//! reads the sources and fails on anything else.
//!
//! | floor | modules | what they are |
//! |---|---|---|
//! | 8 | [`commands`] | the command line: one file a verb, arguments and `run`; the only user of clap |
//! | 7 | [`ui`] | the only writer to the terminal: printer, progress, tables, JSON report |
//! | 6 | [`ops`] | a directory for each use case; no printing, no clap |
//! | 5 | [`source`], [`store`] | what answers what there is; what takes verified packages |
//! | 4 | [`registry`], [`package`] | discovery, the protocols of provider and module registries and network mirrors; OpenPGP, archives, hashes of packages |
//! | 3 | [`auth`] | which token belongs to which host, where it is kept, and how a login gets one |
//! | 2 | [`http`], [`config`] | the only client; root modules, the tools' configuration, the environment |
//! | 1 | [`document`], [`disk`] | formats without I/O; atomic writes, locks, safe paths |
//! | 0 | [`address`], [`version`], [`mod@hash`], [`secret`], [`failure`] | values that cannot be wrong |
//!
//! [`failure`], the contract of all errors (exit code and advice), is open to every module.
//!
//! # Where to start
//!
//! - For what the program does: [`commands::Cli`], then `run` of one verb, then its directory in [`ops`].
//! - For what it believes: [`package`], whose [`authenticate`](package::authenticate) is the only door from
//!   fetched to verified; what was verified before and kept by the [cache](store::PackageCache) comes back
//!   through [`IntactArchive`](package::IntactArchive).
//! - For what strangers may try: every module that reads hostile input begins with the attacks it knows.
//! - For why a rule is as it is: comments name numbered facts about the tools and protocols, such as
//!   "facts/providers 6.4"; the tests in `tests/vectors` hold the cases behind them.
//!
//! # Tests
//!
//! Rules of values are tested beside the code. In `tests`: `conformance` compares with outcomes of the
//! field's own tools, commands run as the built binary against a registry inside the process
//! (`support`, which can also misbehave), `faults` is where it does, `interruption` kills the binary at random
//! instants, `hostile_input` mutates what parsers read, `real_terraform` lets the real tool install what was written,
//! `layering` and `generated` keep the house, the man pages, the completions and README in order.
//!
//! `benches` measures parts, and whole commands beside the real tool; `fuzz` gives the targets of
//! `hostile_input` to libFuzzer.
pub mod address;
pub mod failure;
pub mod hash;
pub mod secret;
pub mod version;

pub mod disk;
pub mod document;

pub mod config;
pub mod http;

pub mod auth;

pub mod package;
pub mod registry;

pub mod source;
pub mod store;

pub mod ops;

pub mod ui;

pub mod commands;
