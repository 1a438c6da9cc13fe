//! The program `patchbay`: one-shot requests, `chat`, `doctor`, `serve`, `add`, `import`, `check`, `traffic quota`, `completions`, `man`
//! and `demo-server`, over the same engine as the window. A library, so that its manual and the documentation are made from the
//! same definition of the command line.
//!
//! Results go to stdout exactly as received, except for control characters on a terminal; messages to stderr. Deliberately not here: any command that
//! `patchbay-contract` does not list.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod add;
mod args;
mod chat;
mod check;
mod doctor;
mod exit;
mod manual;
mod oneshot;
mod output;
mod serve;
mod signals;
mod threads;
mod traffic;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use args::{Cli, Command, Traffic};
pub use exit::EXIT_CODES;
use exit::{Exit, Problem};

/// The command line, as clap describes it: names, options, help.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the program with the arguments of the process.
#[must_use]
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let runtime = match threads::runtime() {
        Ok(runtime) => runtime,
        Err(error) => {
            let message = "Patchbay could not start its threads. End other programs, or raise the limit of processes of this user.";
            return Problem::internal(message, &error).tell(Exit::Usage, cli.json);
        }
    };
    let json = cli.json;
    let data_dir = cli.data_dir;
    let ended = match cli.command {
        Command::DemoServer => runtime.block_on(demo_server()),
        Command::Serve(args) => runtime.block_on(serve::run(data_dir, args, json)),
        Command::Doctor { server } => runtime.block_on(doctor::run(data_dir, server, json)),
        Command::Check { file } => check::run(&file, json),
        Command::Chat(args) => runtime.block_on(chat::run(data_dir, *args, json)),
        Command::Traffic(Traffic::Quota(args)) => runtime.block_on(traffic::quota(data_dir, args, json)),
        Command::Add(args) => runtime.block_on(add::run(data_dir, args, json)),
        Command::Import(args) => runtime.block_on(add::import::run(data_dir, args, json)),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { dir } => manual::pages(dir.as_deref()),
        Command::OneShot(command) => runtime.block_on(oneshot::run(data_dir, command, json)),
    };
    // A thread that is still checking a schema must not delay the exit.
    runtime.shutdown_background();
    match ended {
        Ok(exit) => exit.into(),
        Err((exit, problem)) => problem.tell(exit, json),
    }
}

/// Help and version are results; anything else from clap is a usage error with code 1.
fn usage(error: &clap::Error) -> ExitCode {
    let json = std::env::args_os().any(|arg| arg == "--json");
    let text = error.render().to_string();
    let text = text.trim_end();
    if error.use_stderr() {
        return Problem::usage(text).tell(Exit::Usage, json);
    }
    match oneshot::is_read(output::answer(text.as_bytes())) {
        Ok(_) => ExitCode::SUCCESS,
        Err((exit, problem)) => problem.tell(exit, json),
    }
}

async fn demo_server() -> Result<Exit, (Exit, Problem)> {
    match patchbay_demo::run_stdio().await {
        Ok(()) => Ok(Exit::Ok),
        Err(error) => Err((
            Exit::Usage,
            Problem::internal("The demo server ended early.", &error),
        )),
    }
}
