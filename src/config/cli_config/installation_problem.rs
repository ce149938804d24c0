//! What can be wrong in `provider_installation`: the method or block is left out, the rest counts.

use crate::address::{ProviderAddrError, ProviderPatternError};

/// A problem of a `provider_installation` block.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InstallationProblem {
    /// `provider_installation` or a method in it is written with `=`, or is no object.
    #[error("`{0}` must be a block, without `=`; it is left out")]
    NoBlock(String),
    /// A block has a label.
    #[error("`{0}` takes no label; the label is ignored")]
    Labelled(String),
    /// In JSON, every method is an object, which the tools misread.
    #[error(
        "in JSON, each method of `provider_installation` must be a list of objects, such as `\"direct\": [{{}}]`; the tools find no method here"
    )]
    MisreadJson,
    /// A method that the tool does not know.
    #[error("there is no installation method `{0}`; it is left out")]
    UnknownMethod(String),
    /// A mirror without `path`.
    #[error("`filesystem_mirror` needs a `path`; it is left out")]
    NoPath,
    /// A mirror without `url`.
    #[error("`network_mirror` needs a `url`; it is left out")]
    NoUrl,
    /// A mirror without `repository_template`.
    #[error("`oci_mirror` needs a `repository_template`; it is left out")]
    NoTemplate,
    /// A mirror's URL is not https, or none.
    #[error("`{url}` is no absolute https URL; this `network_mirror` is left out")]
    NotHttps {
        /// The URL, secrets masked.
        url: String,
    },
    /// An argument of the wrong type.
    #[error("{message}; this `{method}` is left out")]
    Type {
        /// The method.
        method: String,
        /// What is wrong.
        message: String,
    },
    /// A text in `include` or `exclude` is no pattern.
    #[error("{problem}; this `{method}` is left out")]
    Pattern {
        /// The method.
        method: String,
        /// What is wrong.
        problem: ProviderPatternError,
    },
    /// `dev_overrides` stands behind a method.
    #[error("`dev_overrides` must stand before all other methods; it is left out")]
    OverridesNotFirst,
    /// A path in `dev_overrides` names a variable that is not set.
    #[error("`{path}` refers to the variable `{variable}`, which is not set; it is left out")]
    UnsetVariable {
        /// The path as written.
        path: String,
        /// The variable's name.
        variable: String,
    },
    /// A key of `dev_overrides` is no address of a provider that can be installed.
    #[error("{0}; this entry of `dev_overrides` is left out")]
    OverriddenAddress(ProviderAddrError),
    /// An argument that the tools ignore in silence.
    #[error("`{method}` has no argument `{name}`; it is ignored")]
    UnknownArgument {
        /// The method.
        method: String,
        /// The argument.
        name: String,
    },
}
