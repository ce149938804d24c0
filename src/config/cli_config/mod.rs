//! The tools' CLI configuration: where it lies, what it says, how several files come together
//! (facts/login 6, facts/providers 9).
//!
//! A mistake in it never stops a command: it becomes a warning, and a file with a syntax or type error
//! counts as empty. Values that are tokens never appear in warnings.
//!
//! The files are the user's own; what they can do wrong (size, depth, bad text) `document::hcl1` answers.
mod expansion;
mod file_settings;
mod installation;
mod installation_problem;
mod installation_reader;
mod load;
mod location;
mod setting;
mod tool_dirs;
mod typed;
mod warning;

pub use installation::{InstallationMethod, MethodKind, ProviderInstallation, Reason};
pub use installation_problem::InstallationProblem;
pub use load::CliConfig;
pub use setting::{
    CredentialsEntry, HelperSetting, HostServices, NotHonoured, Place, ServiceValue,
};
pub use tool_dirs::{credentials_file, helper_dirs};
pub use warning::{CliConfigProblem, CliConfigWarning};
