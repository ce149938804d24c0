//! How the result of a run over packages is shown, the same for every command.

use crate::commands::context::Context;
use crate::failure::ExitCode;
use crate::ops::{OpError, Summary, TreeSummary, Verification};
use crate::ui::{
    JsonReport, answer_width, finding_lines, render_error, summary_line, tree_lines,
    verification_line,
};

/// Shows errors and the summary, or the JSON document, and tells the exit code.
pub(super) fn report(
    context: &Context<'_>,
    command: &'static str,
    summary: &Summary,
) -> Option<ExitCode> {
    if context.printer.is_json() {
        context
            .printer
            .answer(&JsonReport::of_summary(command, summary).render());
    } else {
        for error in summary.errors() {
            context.printer.error(&render_error(error));
        }
        context.printer.answer(&summary_line(summary));
    }
    summary.exit_code()
}

/// Shows what was found and what failed, or the JSON document, and tells the exit code.
pub(super) fn report_verification(
    context: &Context<'_>,
    command: &'static str,
    verification: &Verification,
) -> Option<ExitCode> {
    let printer = &context.printer;
    if printer.is_json() {
        printer.answer(&JsonReport::of_verification(command, verification).render());
    } else {
        let found = finding_lines(&verification.findings, answer_width());
        printer.answer(&format!("{found}{}", verification_line(verification)));
        for error in verification
            .failure()
            .iter()
            .chain(verification.summary.errors())
        {
            printer.error(&render_error(error));
        }
    }
    verification.exit_code()
}

/// Shows an error of a command that has an answer all the same.
pub(super) fn report_error(context: &Context<'_>, error: Option<&OpError>) {
    if let Some(error) = error {
        context.printer.error(&render_error(error));
    }
}

/// As [`report`], of several root modules.
pub(super) fn report_tree(
    context: &Context<'_>,
    command: &'static str,
    tree: &TreeSummary,
) -> Option<ExitCode> {
    let printer = &context.printer;
    if printer.is_json() {
        printer.answer(&JsonReport::of_tree(command, tree).render());
    } else {
        for error in tree.summaries().flat_map(Summary::errors) {
            printer.error(&render_error(error));
        }
        printer.answer(&tree_lines(tree));
    }
    tree.exit_code()
}
