//! The script that a terminal runs, and the named pipe that it is read from.

use std::{
    ffi::{OsStr, OsString},
    io::{Read as _, Seek as _},
    os::unix::ffi::OsStrExt as _,
    path::Path,
    process::Stdio as Pipe,
    time::Duration,
};

use tokio::{
    io::AsyncWriteExt as _,
    net::unix::pipe,
    process::{Child, Command},
    time::{Instant, sleep, timeout},
};

use super::{Environment, STEP, TerminalRun, emulators::Emulator};
use crate::Failure;

/// How long an emulator may take until its shell reads the script.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often it is looked for the reader.
const LOOK: Duration = Duration::from_millis(20);
/// How much of an emulator's stderr is shown, in bytes.
const MOST_SAID: u64 = 2_000;

/// What is left of the terminal's own variables: what it is, and where it is shown.
const KEPT: &str = "TERM|TERM_*|TERMINFO|TERMINFO_DIRS|COLORTERM|COLORFGBG|WINDOWID|WINDOWPATH|VTE_VERSION|KONSOLE_*|KITTY_*|\
                    ALACRITTY_*|WEZTERM_*|GHOSTTY_*|ITERM_*|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|SHLVL|PWD|_";

/// The script: the folder, the variables of the server in place of those of the terminal, the program, and then a shell.
pub(super) fn of(run: &TerminalRun<'_>, variables: &[(OsString, OsString)], folder: &Path) -> Vec<u8> {
    let mut text = Vec::new();
    let title = printable(run.title);
    line(
        &mut text,
        &[b"printf '\\033]0;%s\\007' ", &quoted(OsStr::new(&title))],
    );
    text.extend_from_slice(
        b"for patchbay_name in $(awk 'BEGIN { for (name in ENVIRON) print name }'); do\n\
          case \"$patchbay_name\" in\n",
    );
    line(
        &mut text,
        &[KEPT.as_bytes(), b"|[0-9]*|*[!A-Za-z0-9_]*|patchbay_name) ;;"],
    );
    text.extend_from_slice(b"*) command unset \"$patchbay_name\" ;;\nesac\ndone\nunset patchbay_name\n");
    for (name, value) in variables
        .iter()
        .filter(|(name, _)| is_name(name) && !is_of_terminal(name))
    {
        line(&mut text, &[b"export ", name.as_bytes(), b"=", &quoted(value)]);
    }
    line(&mut text, &[b"cd ", &quoted(folder.as_os_str())]);
    line(
        &mut text,
        &[b"printf '%s\\n' ", &quoted(OsStr::new(&printable(run.shown)))],
    );
    // Ctrl-C ends the program, not this script.
    text.extend_from_slice(b"trap : INT\n");
    let words = std::iter::once(&run.config.command).chain(&run.config.args);
    let words: Vec<Vec<u8>> = words.map(|word| quoted(OsStr::new(word))).collect();
    line(&mut text, &[&words.join(&b' ')]);
    text.extend_from_slice(
        b"patchbay_code=$?\n\
          trap - INT\n\
          printf '\\n[Ended with exit code %s. This shell has the folder and the variables of the server.]\\n' \"$patchbay_code\"\n\
          unset patchbay_code\n\
          exec \"${SHELL:-/bin/sh}\"\n",
    );
    text
}

/// Opens the emulator and writes the script to the shell in it.
pub(super) async fn hand_over(
    emulator: Emulator,
    text: &[u8],
    folder: &Path,
    desktop: &Environment,
) -> Result<(), Failure> {
    let failed = |cause: String| Failure::new(STEP, cause, super::emulators::NEXT);
    // Only for this user.
    let place = tempfile::Builder::new().prefix("patchbay-terminal-").tempdir();
    let place = place.map_err(|error| failed(format!("A pipe could not be made: {error}.")))?;
    let fifo = place.path().join("run");
    nix::unistd::mkfifo(
        &fifo,
        nix::sys::stat::Mode::S_IRUSR | nix::sys::stat::Mode::S_IWUSR,
    )
    .map_err(|error| failed(format!("A pipe could not be made: {error}.")))?;
    let said = tempfile::tempfile().ok();
    let shown = emulator.program.display().to_string();
    let mut child = start(emulator, &fifo, folder, desktop, said.as_ref())
        .map_err(|error| failed(format!("{shown} could not be started: {error}.")))?;
    let mut to_shell = reader(&fifo, &mut child, &shown, said).await?;
    match timeout(PATIENCE, to_shell.write_all(text)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(failed(format!("The shell in {shown} ended: {error}."))),
        Err(_) => Err(failed(format!("The shell in {shown} does not read."))),
    }
}

fn start(
    emulator: Emulator,
    fifo: &Path,
    folder: &Path,
    desktop: &Environment,
    said: Option<&std::fs::File>,
) -> std::io::Result<Child> {
    let mut command = Command::new(&emulator.program);
    command.args(&emulator.before);
    match emulator.as_one_word {
        true => {
            let mut line = b"exec /bin/sh ".to_vec();
            line.extend_from_slice(&quoted(fifo.as_os_str()));
            command.arg(OsStr::from_bytes(&line));
        }
        false => {
            command.arg("/bin/sh").arg(fifo);
        }
    }
    let said = said.and_then(|file| file.try_clone().ok());
    command
        .args(&emulator.after)
        .current_dir(folder)
        .env_clear()
        .envs(desktop.vars.iter().map(|(name, value)| (name, value)))
        .env("PWD", folder)
        .stdin(Pipe::null())
        .stdout(Pipe::null())
        .stderr(said.map_or_else(Pipe::null, Pipe::from))
        // Ctrl-C in the terminal of Patchbay is not for it.
        .process_group(0);
    // It stays open after Patchbay; tokio reaps it.
    command.spawn()
}

/// Waits until the shell reads. An emulator may end at once because its window belongs to another process, but not with an
/// error.
async fn reader(
    fifo: &Path,
    child: &mut Child,
    shown: &str,
    said: Option<std::fs::File>,
) -> Result<pipe::Sender, Failure> {
    let failed = |cause: String| Failure::new(STEP, cause, super::emulators::NEXT);
    let until = Instant::now() + PATIENCE;
    let mut ended = false;
    loop {
        // Without a reader it cannot be opened.
        if let Ok(sender) = pipe::OpenOptions::new().open_sender(fifo) {
            return Ok(sender);
        }
        if !ended && let Ok(Some(status)) = child.try_wait() {
            ended = true;
            if !status.success() {
                let failure = failed(format!(
                    "{shown} ended with an error ({status}) and opened nothing."
                ));
                return Err(match what_it_said(said) {
                    Some(said) => failure.with_detail(said),
                    None => failure,
                });
            }
        }
        if Instant::now() >= until {
            let seconds = PATIENCE.as_secs();
            let cause = format!("{shown} did not run the command within {seconds} s.");
            return Err(failed(cause));
        }
        sleep(LOOK).await;
    }
}

fn what_it_said(said: Option<std::fs::File>) -> Option<String> {
    let mut file = said?;
    file.rewind().ok()?;
    let mut bytes = Vec::new();
    file.take(MOST_SAID).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

fn line(text: &mut Vec<u8>, parts: &[&[u8]]) {
    parts.iter().for_each(|part| text.extend_from_slice(part));
    text.push(b'\n');
}

/// A word of a shell script that means exactly these bytes.
fn quoted(word: &OsStr) -> Vec<u8> {
    let mut out = vec![b'\''];
    for byte in word.as_bytes() {
        match byte {
            b'\'' => out.extend_from_slice(b"'\\''"),
            _ => out.push(*byte),
        }
    }
    out.push(b'\'');
    out
}

/// Text of settings as it is shown: control characters would be commands for the terminal.
fn printable(text: &str) -> String {
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(shown).collect()
}

/// Whether a shell can set a variable of this name.
fn is_name(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    !bytes.is_empty() && bytes.iter().all(is_part) && !bytes.first().is_some_and(u8::is_ascii_digit)
}

/// Whether only the terminal knows the value.
fn is_of_terminal(name: &OsStr) -> bool {
    matches!(name.as_bytes(), b"TERM" | b"COLORTERM" | b"SHLVL" | b"_")
}
