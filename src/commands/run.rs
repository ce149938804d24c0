//! The way of every command: parse, set up the terminal and the runtime, run, report, exit code.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process;
use std::time::Duration;

use clap::Parser;
use clap::error::ErrorKind;
use tokio::runtime::Runtime;

use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::commands::global::ColorChoice;
use crate::commands::helper::{answer, is_helper_call};
use crate::commands::interrupt::{exit_at_next_interruption, interrupted, outlive_file_size_limit};
use crate::commands::{Cli, Command, GlobalArgs};
use crate::config::{Environment, environment};
use crate::failure::{ExitCode, Failure};
use crate::ui::{
    Colour, JsonReport, Printer, PrinterOptions, Verbosity, install_logger, render_error,
};

/// How long blocking work may go on after an interruption, to remove its temporary files.
const WIND_DOWN: Duration = Duration::from_secs(20);

/// Runs the program with these arguments (the first is its name) and this environment.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    environment: &Environment,
) -> process::ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    if is_helper_call(&args) {
        return answer(&args, &plain_printer(false));
    }
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) if wants_json(&args) && !is_answer(&error) => return usage_as_json(&error),
        Err(error) => return usage(&error),
    };
    let printer = Printer::new(printer_options(&cli.global, environment));
    install_logger(&printer);
    let code = match carry_out(&cli, environment, &printer) {
        Ok(code) => code,
        Err(error) => {
            report_failure(&printer, cli.command.name(), &error);
            Some(error.exit_code())
        }
    };
    if let Some(source) = printer.unwritten() {
        let error = CommandError::Unwritten(source);
        printer.error(&render_error(&error));
        return process::ExitCode::from(error.exit_code().number());
    }
    process::ExitCode::from(code.map_or(0, ExitCode::number))
}

fn carry_out(
    cli: &Cli,
    environment: &Environment,
    printer: &Printer,
) -> Result<Option<ExitCode>, CommandError> {
    let context = Context::new(
        &cli.global,
        cli.command.root_module(),
        environment,
        printer.clone(),
    )?;
    let runtime = Runtime::new().map_err(CommandError::Runtime)?;
    let result = runtime.block_on(async {
        outlive_file_size_limit();
        tokio::select! {
            result = dispatch(&context, &cli.command) => result,
            () = interrupted() => Err(CommandError::Interrupted),
        }
    });
    if matches!(result, Err(CommandError::Interrupted)) {
        exit_at_next_interruption();
    }
    // Blocking work owns temporary files and removes them when it ends.
    runtime.shutdown_timeout(WIND_DOWN);
    result
}

async fn dispatch(
    context: &Context<'_>,
    command: &Command,
) -> Result<Option<ExitCode>, CommandError> {
    match command {
        Command::Install(args) => args.run(context).await,
        Command::Mirror(args) => args.run(context).await,
        Command::Lock(args) => args.run(context).await,
        Command::Outdated(args) => args.run(context).await,
        Command::Verify(args) => args.run(context).await,
        Command::Versions(args) => args.run(context).await,
        Command::Explain(args) => args.run(context).await,
        Command::Cache(args) => args.run(context).await,
        Command::Login(args) => args.run(context).await,
        Command::Logout(args) => args.run(context).await,
        Command::Auth(args) => args.run(context).await,
    }
}

fn report_failure(printer: &Printer, command: &'static str, error: &dyn Failure) {
    if printer.is_json() {
        printer.answer(&JsonReport::of_error(command, error, printer.take_finished()).render());
    } else {
        printer.error(&render_error(error));
    }
}

/// Help and version are answers; anything else is a usage error. A closed pipe is no failure.
#[expect(
    clippy::print_stderr,
    reason = "clap renders its own messages, before there is a printer"
)]
fn usage(error: &clap::Error) -> process::ExitCode {
    let is_answer = is_answer(error);
    let code = match error.print() {
        Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("error: cannot write the answer: {cause}");
            ExitCode::Local.number()
        }
        Ok(()) | Err(_) if is_answer => 0,
        Ok(()) | Err(_) => ExitCode::Usage.number(),
    };
    process::ExitCode::from(code)
}

/// Whether the answer is to be JSON, as far as a command line tells that does not parse.
fn wants_json(args: &[OsString]) -> bool {
    let options = args.iter().take_while(|arg| *arg != "--");
    options.into_iter().any(|arg| arg == "--json")
}

fn is_answer(error: &clap::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    )
}

/// A usage error as the document that `--json` promises; the verb may be what is wrong.
fn usage_as_json(error: &clap::Error) -> process::ExitCode {
    let text = error.to_string();
    // Clap separates the message from the usage text by a blank line.
    let message = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = message.split_whitespace().collect();
    let message = words.join(" ");
    let message = message.trim_start_matches("error: ").to_owned();
    let failure = CommandError::CommandLine { message };
    report_failure(&plain_printer(true), "provender", &failure);
    process::ExitCode::from(failure.exit_code().number())
}

/// A printer for calls whose command line says nothing of the terminal.
fn plain_printer(json: bool) -> Printer {
    Printer::new(PrinterOptions {
        verbosity: Verbosity::Normal,
        colour: Colour::Off,
        bars: false,
        json,
    })
}

fn printer_options(args: &GlobalArgs, environment: &Environment) -> PrinterOptions {
    let verbosity = match (args.quiet, args.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, 0) => Verbosity::Normal,
        (false, 1) => Verbosity::Verbose,
        (false, _) => Verbosity::Debug,
    };
    let is_terminal = std::io::stderr().is_terminal();
    let is_dumb = environment.get(environment::TERM) == Some("dumb");
    let in_ci = environment.non_empty(environment::CI).is_some();
    let coloured = match args.color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            if environment.non_empty(environment::NO_COLOR).is_some() {
                false
            } else if environment
                .non_empty(environment::CLICOLOR_FORCE)
                .is_some_and(|v| v != "0")
            {
                true
            } else {
                is_terminal && !is_dumb
            }
        }
    };
    PrinterOptions {
        verbosity,
        colour: if coloured { Colour::On } else { Colour::Off },
        bars: is_terminal && !is_dumb && !in_ci && !args.no_progress,
        json: args.json,
    }
}
