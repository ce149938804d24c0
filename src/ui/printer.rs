//! One door to stdout and one to stderr.
//!
//! Hostile input: words of registries (warnings, version texts, URLs) end up here. Control
//! characters other than newline and tab are shown as escapes, so that no server can move the
//! cursor, recolour the screen or forge a line.

use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use indicatif::MultiProgress;

use crate::ops::PackageOutcome;
use crate::secret::Secret;
use crate::ui::json_report::JsonPackage;

/// How much to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// `-q`: results and errors only.
    Quiet,
    /// The default.
    Normal,
    /// `-v`: decisions and requests.
    Verbose,
    /// `-vv`: headers too.
    Debug,
}

/// Whether a stream is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Off,
    /// ANSI colours.
    On,
}

/// What a printer needs to know.
#[derive(Debug, Clone, Copy)]
pub struct PrinterOptions {
    /// How much to say.
    pub verbosity: Verbosity,
    /// Whether stderr is coloured.
    pub colour: Colour,
    /// Whether progress bars may be drawn on stderr.
    pub bars: bool,
    /// Whether stdout is reserved for one JSON document.
    pub json: bool,
}

/// Writes everything that the user sees.
#[derive(Clone)]
pub struct Printer {
    options: PrinterOptions,
    bars: Option<MultiProgress>,
    stdout: Arc<Mutex<dyn Write + Send>>,
    stderr: Arc<Mutex<dyn Write + Send>>,
    unwritten: Arc<Mutex<Option<io::Error>>>,
    finished: Arc<Mutex<Vec<JsonPackage>>>,
    warned: Arc<Mutex<HashSet<String>>>,
}

impl Printer {
    /// A printer to the process's streams.
    pub fn new(options: PrinterOptions) -> Self {
        Self::to(
            options,
            Arc::new(Mutex::new(io::stdout())),
            Arc::new(Mutex::new(io::stderr())),
        )
    }

    /// A printer to other streams.
    pub fn to(
        options: PrinterOptions,
        stdout: Arc<Mutex<dyn Write + Send>>,
        stderr: Arc<Mutex<dyn Write + Send>>,
    ) -> Self {
        // Logs and bars do not mix.
        let bars = options.bars && options.verbosity == Verbosity::Normal;
        Self {
            options,
            bars: bars.then(MultiProgress::new),
            stdout,
            stderr,
            unwritten: Arc::default(),
            finished: Arc::default(),
            warned: Arc::default(),
        }
    }

    /// How much to say.
    pub fn verbosity(&self) -> Verbosity {
        self.options.verbosity
    }

    /// Whether stdout is reserved for one JSON document.
    pub fn is_json(&self) -> bool {
        self.options.json
    }

    /// Where bars are drawn, if they are.
    pub fn bars(&self) -> Option<&MultiProgress> {
        self.bars.as_ref()
    }

    /// The answer to the question asked, on stdout, even under `-q`; ends with a newline.
    pub fn answer(&self, text: &str) {
        let written = Self::write(&self.stdout, &with_newline(&visible(text)));
        // A closed pipe means that nobody reads on, which is the reader's choice.
        let failed = written
            .err()
            .filter(|error| error.kind() != io::ErrorKind::BrokenPipe);
        if let (Some(error), Ok(mut unwritten)) = (failed, self.unwritten.lock()) {
            *unwritten = Some(error);
        }
    }

    /// Keeps a finished package for the JSON document of a run that may be interrupted.
    pub(super) fn keep(&self, outcome: &PackageOutcome) {
        if self.options.json {
            let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
            finished.push(JsonPackage::of(outcome));
        }
    }

    /// The packages that were finished so far, if the answer is JSON.
    pub fn take_finished(&self) -> Vec<JsonPackage> {
        std::mem::take(&mut *self.finished.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Why an answer did not reach stdout, if one did not.
    pub fn unwritten(&self) -> Option<io::Error> {
        self.unwritten.lock().ok()?.take()
    }

    /// A line of a normal run, on stderr.
    pub fn note(&self, text: &str) {
        if self.options.verbosity >= Verbosity::Normal {
            self.line(&visible(text));
        }
    }

    /// What the user is asked to do, alone on its line on stderr; also under `-q`, since nothing goes on without it.
    pub fn request(&self, text: &str) {
        self.line(&visible(text));
    }

    /// A question on stderr, without a line end.
    pub fn prompt(&self, question: &str) {
        // There is nowhere left to complain that stderr cannot be written.
        drop(Self::write(&self.stderr, &visible(question)));
    }

    /// A secret that was asked for, on stdout as it is.
    pub fn reveal(&self, secret: &Secret) {
        let written = Self::write(&self.stdout, &format!("{}\n", secret.expose()));
        if let (Err(error), Ok(mut unwritten)) = (written, self.unwritten.lock()) {
            *unwritten = Some(error);
        }
    }

    /// A warning, on stderr, unless `-q` asks for results and errors alone. One that was given before,
    /// perhaps of another root module, is not repeated.
    pub fn warning(&self, text: &str) {
        if self.options.verbosity == Verbosity::Quiet {
            return;
        }
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if !warned.insert(text.to_owned()) {
            return;
        }
        drop(warned);
        self.labelled("warning", "33", text);
    }

    /// An error report as `render_error` makes it, on stderr.
    pub fn error(&self, report: &str) {
        let report = visible(report);
        let painted: Vec<String> = report
            .lines()
            .map(|line| self.paint_report_line(line))
            .collect();
        self.line(&painted.join("\n"));
    }

    /// A decision or request, for `-v`; `-vv` if `deep`.
    pub fn detail(&self, text: &str, deep: bool) {
        let wanted = if deep {
            Verbosity::Debug
        } else {
            Verbosity::Verbose
        };
        if self.options.verbosity >= wanted {
            self.line(&visible(text));
        }
    }

    fn labelled(&self, label: &str, colour: &str, text: &str) {
        self.line(&format!(
            "{} {}",
            self.paint(&format!("{label}:"), colour),
            visible(text)
        ));
    }

    fn paint_report_line(&self, line: &str) -> String {
        for (label, colour) in [("error:", "31;1"), ("hint:", "36")] {
            if let Some(rest) = line.strip_prefix(label) {
                return format!("{}{rest}", self.paint(label, colour));
            }
        }
        line.to_owned()
    }

    fn paint(&self, text: &str, colour: &str) -> String {
        match self.options.colour {
            Colour::On => format!("\u{1b}[{colour}m{text}\u{1b}[0m"),
            Colour::Off => text.to_owned(),
        }
    }

    fn line(&self, text: &str) {
        // There is nowhere left to complain that stderr cannot be written.
        let write = || drop(Self::write(&self.stderr, &with_newline(text)));
        match &self.bars {
            Some(bars) => bars.suspend(write),
            None => write(),
        }
    }

    fn write(stream: &Mutex<dyn Write + Send>, text: &str) -> io::Result<()> {
        let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
        stream.write_all(text.as_bytes())?;
        stream.flush()
    }
}

fn with_newline(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') {
        text.to_owned()
    } else {
        format!("{text}\n")
    }
}

fn visible(text: &str) -> String {
    let harmless = |c: char| matches!(c, '\n' | '\t') || !(c.is_control() || is_bidi_control(c));
    if text.chars().all(harmless) {
        return text.to_owned();
    }
    text.chars()
        .map(|c| {
            if harmless(c) {
                c.to_string()
            } else {
                c.escape_unicode().to_string()
            }
        })
        .collect()
}

/// Characters that reorder what follows them, which could make one address look like another.
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(options: PrinterOptions, act: impl Fn(&Printer)) -> (String, String) {
        let (out, err) = (
            Arc::new(Mutex::new(Vec::new())),
            Arc::new(Mutex::new(Vec::new())),
        );
        let stdout: Arc<Mutex<dyn Write + Send>> = out.clone();
        let stderr: Arc<Mutex<dyn Write + Send>> = err.clone();
        act(&Printer::to(options, stdout, stderr));
        let text =
            |stream: &Mutex<Vec<u8>>| String::from_utf8(stream.lock().unwrap().clone()).unwrap();
        (text(&out), text(&err))
    }

    fn options(verbosity: Verbosity, colour: Colour) -> PrinterOptions {
        PrinterOptions {
            verbosity,
            colour,
            bars: false,
            json: false,
        }
    }

    #[test]
    fn quiet_still_answers_and_fails() {
        let (out, err) = printed(options(Verbosity::Quiet, Colour::Off), |printer| {
            printer.answer("42");
            printer.note("not shown");
            printer.detail("not shown", false);
            printer.warning("not shown");
            printer.error("error: broken");
        });
        assert_eq!(out, "42\n");
        assert_eq!(err, "error: broken\n");
    }

    #[test]
    fn colour_marks_only_the_labels() {
        let (_, err) = printed(options(Verbosity::Normal, Colour::On), |printer| {
            printer.error("error: broken\n\nhint: mend it");
        });
        assert_eq!(
            err,
            "\u{1b}[31;1merror:\u{1b}[0m broken\n\n\u{1b}[36mhint:\u{1b}[0m mend it\n"
        );
    }

    #[test]
    fn shows_control_characters_of_strangers_as_escapes() {
        let (_, err) = printed(options(Verbosity::Normal, Colour::Off), |printer| {
            printer.warning("a\u{1b}[2Jb\r\u{202e}c");
        });
        assert_eq!(err, "warning: a\\u{1b}[2Jb\\u{d}\\u{202e}c\n");
    }
}
