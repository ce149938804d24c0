//! Takes what the lower floors log (`log` crate) to the printer: `info` for `-v`, `debug` for `-vv`.

use log::{Level, LevelFilter, Log, Metadata, Record};

use crate::ui::{Printer, Verbosity};

struct PrinterLogger {
    printer: Printer,
}

impl Log for PrinterLogger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        // Only our own words: the HTTP and TLS crates log headers, which may hold secrets.
        metadata.target().starts_with("provender")
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let text = record.args().to_string();
        match record.level() {
            Level::Error | Level::Warn => self.printer.warning(&text),
            Level::Info => self.printer.detail(&text, false),
            Level::Debug | Level::Trace => self.printer.detail(&text, true),
        }
    }

    fn flush(&self) {}
}

/// Sends log records of this crate to `printer` from now on; a second call in one process changes
/// nothing.
pub fn install_logger(printer: &Printer) {
    let level = match printer.verbosity() {
        Verbosity::Quiet | Verbosity::Normal => LevelFilter::Warn,
        Verbosity::Verbose => LevelFilter::Info,
        Verbosity::Debug => LevelFilter::Debug,
    };
    if log::set_boxed_logger(Box::new(PrinterLogger {
        printer: printer.clone(),
    }))
    .is_ok()
    {
        log::set_max_level(level);
    }
}
