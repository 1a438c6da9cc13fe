//! `completions` and `man`: what a shell and `man` read, made from the definition of the command line.

use std::io;
use std::path::Path;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::args::Cli;
use crate::exit::{Exit, Problem};
use crate::oneshot::is_read;
use crate::output;

/// Prints the completion script of a shell.
pub(crate) fn completions(shell: Shell) -> Result<Exit, (Exit, Problem)> {
    printed(script(shell))
}

fn script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "patchbay", &mut script);
    script
}

/// Prints the manual page of `patchbay`, or writes the pages of all commands into a folder.
pub(crate) fn pages(dir: Option<&Path>) -> Result<Exit, (Exit, Problem)> {
    let command = Cli::command();
    let Some(dir) = dir else {
        let mut page = Vec::new();
        return match clap_mangen::Man::new(command).render(&mut page) {
            Ok(()) => printed(page),
            Err(error) => Err(unwritten("The manual page", &error)),
        };
    };
    let written = std::fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(command, dir));
    match written {
        Ok(()) => Ok(Exit::Ok),
        Err(error) => {
            let what = format!("The manual pages in {}", dir.display());
            Err(unwritten(&what, &error))
        }
    }
}

fn printed(mut text: Vec<u8>) -> Result<Exit, (Exit, Problem)> {
    // `answer` ends the line.
    if text.ends_with(b"\n") {
        text.pop();
    }
    is_read(output::answer(&text)).map(|_| Exit::Ok)
}

fn unwritten(what: &str, error: &io::Error) -> (Exit, Problem) {
    let message = format!("{what} could not be written. Choose a folder that you may write to.");
    (Exit::Usage, Problem::internal(&message, error))
}

#[cfg(test)]
mod tests;
