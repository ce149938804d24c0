//! The only writer to the terminal: printer, progress, tables, error and JSON reports.
mod cache_text;
mod credentials_text;
mod dialog;
mod error_report;
mod explanation_text;
mod json_cache;
mod json_report;
mod logger;
mod printer;
mod progress;
mod summary_text;
mod table;
mod words;

pub use cache_text::{cache_lines, cache_totals, finding_line};
pub use credentials_text::{CredentialsRow, login_lines, logout_lines, status_lines};
pub use dialog::TerminalDialog;
pub use error_report::render_error;
pub use explanation_text::{ExplanationReport, HostReport, explanation_lines};
pub use json_cache::CacheReport;
pub use json_report::{JsonPackage, JsonReport, VersionRow};
pub use logger::install_logger;
pub use printer::{Colour, Printer, PrinterOptions, Verbosity};
pub use progress::ProgressReporter;
pub use summary_text::{plan_lines, summary_line, tree_lines};
pub use table::Table;
pub use words::{bytes, counted};
