//! The binary: hands the process's arguments and environment to the library.

use std::process::ExitCode;

use provender::commands;
use provender::config::Environment;

fn main() -> ExitCode {
    commands::run(std::env::args_os(), &Environment::of_process())
}
