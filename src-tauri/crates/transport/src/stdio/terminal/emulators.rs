//! Finds the terminal emulator: the chosen one, or that of the desktop.

use std::{ffi::OsStr, path::PathBuf};

use super::{Environment, STEP, program};
use crate::Failure;

/// What to do without an emulator.
pub(super) const NEXT: &str = "Set the terminal in Settings > Servers, or copy the command.";
/// The word of a chosen command that the command to run replaces.
const PLACE: &str = "{}";

/// An emulator that was found, and how it is told what to run.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Emulator {
    pub(super) program: PathBuf,
    /// The words before the command to run.
    pub(super) before: Vec<String>,
    /// The words after it.
    pub(super) after: Vec<String>,
    /// Whether the command to run is one word, in which a shell finds its parts.
    pub(super) as_one_word: bool,
}

/// The emulators in the order in which they are tried, with the options before the command to run. First what follows the
/// user's choice: the Default Terminal Specification of XDG, and the alternative of Debian.
const KNOWN: &[(&str, &[&str])] = &[
    ("xdg-terminal-exec", &[]),
    ("x-terminal-emulator", &["-e"]),
    ("ptyxis", &["--"]),
    ("kgx", &["--"]),
    ("gnome-terminal", &["--"]),
    ("konsole", &["-e"]),
    ("xfce4-terminal", &["-x"]),
    ("mate-terminal", &["-x"]),
    ("ghostty", &["-e"]),
    ("kitty", &["--"]),
    ("foot", &[]),
    ("alacritty", &["-e"]),
    ("wezterm", &["start", "--"]),
    ("tilix", &["-e"]),
    ("terminator", &["-x"]),
    ("urxvt", &["-e"]),
    ("st", &["-e"]),
    ("xterm", &["-e"]),
];

/// The chosen emulator, or the first of the known ones that is there.
pub(super) fn find(chosen: &[String], desktop: &Environment) -> Result<Emulator, Failure> {
    let path = desktop.get("PATH");
    if let Some((name, rest)) = chosen.split_first() {
        return named(name, rest, path);
    }
    if cfg!(target_os = "macos") {
        return Ok(apple_terminal());
    }
    let is_set = |name: &str| desktop.get(name).is_some_and(|value| !value.is_empty());
    if !is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY") {
        let cause = "There is no desktop session: neither DISPLAY nor WAYLAND_DISPLAY is set.";
        return Err(Failure::new(STEP, cause, NEXT));
    }
    // The variable that some desktops and users set.
    if let Some(Ok(found)) = desktop
        .get("TERMINAL")
        .and_then(OsStr::to_str)
        .map(|name| named(name, &[], path))
    {
        return Ok(found);
    }
    let found = KNOWN.iter().find_map(|(name, before)| {
        let program = program::find_program(name, path)?;
        Some(known(program, before))
    });
    found.ok_or_else(|| {
        let names: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
        let path = path.unwrap_or_default().to_string_lossy();
        Failure::new(STEP, "No terminal emulator was found.", NEXT)
            .with_detail(format!("Looked for {} in PATH: {path}", names.join(", ")))
    })
}

/// An emulator that the user names, with the options that it is known to need.
fn named(name: &str, rest: &[String], path: Option<&OsStr>) -> Result<Emulator, Failure> {
    let program = match name.contains('/') {
        true => Some(PathBuf::from(name)).filter(|file| file.is_file()),
        false => program::find_program(name, path),
    };
    let program = program.ok_or_else(|| {
        let path = path.unwrap_or_default().to_string_lossy();
        let cause = format!("The terminal {name:?} of the settings was not found.");
        Failure::new(STEP, cause, NEXT).with_detail(format!("PATH: {path}"))
    })?;
    if let Some(at) = rest.iter().position(|word| word == PLACE) {
        let (before, after) = rest.split_at(at);
        return Ok(Emulator {
            program,
            before: before.to_vec(),
            after: after.get(1..).unwrap_or_default().to_vec(),
            as_one_word: false,
        });
    }
    let file = program.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let options = KNOWN.iter().find(|(known, _)| rest.is_empty() && *known == file);
    let mut found = known(program, options.map_or(&[], |(_, options)| options));
    found.before.extend_from_slice(rest);
    Ok(found)
}

fn known(program: PathBuf, before: &[&str]) -> Emulator {
    Emulator {
        program,
        before: before.iter().map(|&word| word.to_owned()).collect(),
        after: Vec::new(),
        as_one_word: false,
    }
}

/// Terminal, which is told by a script what to run.
fn apple_terminal() -> Emulator {
    let lines = [
        "on run argv",
        "tell application \"Terminal\" to do script (item 1 of argv)",
        "tell application \"Terminal\" to activate",
        "end run",
    ];
    Emulator {
        program: PathBuf::from("/usr/bin/osascript"),
        before: lines
            .iter()
            .flat_map(|line| ["-e".to_owned(), (*line).to_owned()])
            .collect(),
        after: Vec::new(),
        as_one_word: true,
    }
}
