//! A root module together with where its packages come from.

use crate::config::RootModule;
use crate::ops::ModuleOrigins;
use crate::source::Source;

/// A root module whose requirements are to be compared with what a source offers.
#[derive(Debug)]
pub struct SourcedRoot<'s> {
    /// What reports call it; `None` if there is no other.
    pub name: Option<String>,
    /// The root module; its tool decides how the lock file is read and written.
    pub module: RootModule,
    /// Where its packages come from; the same for all root modules of one tool.
    pub source: &'s dyn Source,
    /// Where its modules come from; the same for all root modules of one tool, too.
    pub modules: &'s ModuleOrigins,
}
