//! Opens the user's terminal emulator where a server is started: with its program, its folder and its variables.
//!
//! What runs in the terminal is a script that is read from a named pipe once: the values of variables are in no file and on
//! no command line, and reach the shell also where the emulator's window belongs to a process that runs already. Windows has
//! no such pipes for scripts; there a console gets the variables as its environment.

#[cfg(unix)]
mod emulators;
#[cfg(unix)]
mod script;
#[cfg(test)]
#[cfg(unix)]
mod tests;

use super::{Environment, StdioConfig, command, program};
use crate::Failure;

/// The step that all failures here belong to.
const STEP: &str = "Open a terminal";

/// What is run in a terminal.
#[derive(Debug)]
pub struct TerminalRun<'a> {
    /// The program of a server.
    pub config: &'a StdioConfig,
    /// The command line as it is shown, with secrets masked.
    pub shown: &'a str,
    /// The name of the server, for the title of the window.
    pub title: &'a str,
    /// The command that opens a terminal, as words; empty for that of the system. The command to run replaces the word
    /// `{}`, or follows the last word.
    pub chosen: &'a [String],
    /// The whole environment of the desktop session, for the emulator itself.
    pub desktop: &'a Environment,
}

/// Opens a terminal and waits until the shell in it has taken what it runs. Returns the emulator that was opened. The terminal
/// outlives this program.
///
/// # Errors
/// The folder does not exist; there is no emulator, it ended with an error, or it did not run anything in time.
#[cfg(unix)]
pub async fn open_terminal(run: &TerminalRun<'_>) -> Result<String, Failure> {
    let folder = run.config.working_folder();
    program::check_cwd(&folder)?;
    let emulator = emulators::find(run.chosen, run.desktop)?;
    let text = script::of(run, &command::variables(run.config), &folder);
    let shown = emulator.program.display().to_string();
    script::hand_over(emulator, &text, &folder, run.desktop).await?;
    Ok(shown)
}

/// As for Unix, in a new console window: Windows opens it in the user's default terminal.
#[cfg(not(unix))]
pub async fn open_terminal(run: &TerminalRun<'_>) -> Result<String, Failure> {
    let folder = run.config.working_folder();
    program::check_cwd(&folder)?;
    let variables = command::variables(run.config);
    let mut words = run.chosen.iter();
    let name = words.next().map_or("cmd.exe", String::as_str);
    let mut console = std::process::Command::new(name);
    console.args(words);
    if run.chosen.is_empty() {
        console.arg("/K").arg(&run.config.command).args(&run.config.args);
    }
    console.current_dir(&folder).env_clear().envs(variables);
    #[cfg(windows)]
    {
        /// `CREATE_NEW_CONSOLE`
        const NEW_CONSOLE: u32 = 0x10;
        std::os::windows::process::CommandExt::creation_flags(&mut console, NEW_CONSOLE);
    }
    match console.spawn() {
        Ok(_) => Ok(name.to_owned()),
        Err(error) => Err(Failure::new(
            STEP,
            format!("{name} could not be started: {error}."),
            "Set the terminal in Settings > Servers, or copy the command.",
        )),
    }
}
