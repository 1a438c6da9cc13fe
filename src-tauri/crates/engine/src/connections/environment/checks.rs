//! What can be set.

use std::{ffi::OsStr, path::PathBuf};

use patchbay_contract::{EnvironmentSettings, ShellChoice};
use serde::{Deserialize, Deserializer, de::Error as _};

/// The longest path of a shell or a folder, in bytes.
const LONGEST: usize = 4096;
/// The most folders before PATH, and after it.
const MOST_FOLDERS: usize = 100;
/// What is between two folders of PATH.
const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// The settings as they are stored. A file that was written by hand is held to the same rules.
#[derive(Debug, Clone, Default)]
pub(super) struct Stored(pub(super) EnvironmentSettings);

impl<'de> Deserialize<'de> for Stored {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let settings = checked(EnvironmentSettings::deserialize(from)?).map_err(|why| {
            // It becomes a part of a sentence.
            D::Error::custom(why.trim_end_matches('.'))
        })?;
        Ok(Self(settings))
    }
}

/// The settings as stored; the error is a sentence.
pub(super) fn checked(settings: EnvironmentSettings) -> Result<EnvironmentSettings, String> {
    Ok(EnvironmentSettings {
        shell: settings.shell,
        program: program(settings.program.trim(), settings.shell)?,
        path_before: folders(settings.path_before)?,
        path_after: folders(settings.path_after)?,
    })
}

fn program(program: &str, choice: ShellChoice) -> Result<String, String> {
    if program.is_empty() && choice == ShellChoice::Program {
        return Err("Enter the shell: its absolute path, or its name on PATH.".to_owned());
    }
    if program.len() > LONGEST {
        return Err(format!("The path of the shell is longer than {LONGEST} bytes."));
    }
    if program.contains(char::is_control) {
        return Err("The path of the shell cannot have control characters.".to_owned());
    }
    if program.contains(std::path::is_separator) && !PathBuf::from(program).is_absolute() {
        return Err(format!(
            "`{program}` is a relative path. Enter the absolute path of the shell, or its name on PATH."
        ));
    }
    if !program.contains(std::path::is_separator) && program.contains(char::is_whitespace) {
        return Err(format!(
            "`{program}` is not the name of a program. Enter the shell without options: Patchbay adds its own."
        ));
    }
    Ok(program.to_owned())
}

/// A list of folders without empty and repeated ones.
fn folders(typed: Vec<String>) -> Result<Vec<String>, String> {
    let mut folders: Vec<String> = Vec::new();
    for folder in typed.iter().map(|folder| folder.trim()) {
        if folder.is_empty() || folders.iter().any(|known| known == folder) {
            continue;
        }
        if folder.len() > LONGEST {
            return Err(format!("A folder of PATH is longer than {LONGEST} bytes."));
        }
        if folder.contains(char::is_control) {
            return Err("A folder of PATH cannot have control characters.".to_owned());
        }
        if folder.contains(SEPARATOR) {
            return Err(format!(
                "`{folder}` has a `{SEPARATOR}`, which separates the folders of PATH. Enter each folder in a row of its own."
            ));
        }
        if !whole(folder, Some(OsStr::new("/"))).is_absolute() {
            return Err(format!(
                "`{folder}` is not absolute. Enter the whole path, or begin with `~/` for your home folder."
            ));
        }
        folders.push(folder.to_owned());
    }
    match folders.len() > MOST_FOLDERS {
        true => Err(format!(
            "At most {MOST_FOLDERS} folders can be added on each side of PATH."
        )),
        false => Ok(folders),
    }
}

/// A folder as it is in PATH: `~` is the home folder.
pub(super) fn whole(typed: &str, home: Option<&OsStr>) -> PathBuf {
    let below = match typed.strip_prefix('~') {
        Some("") => Some(""),
        Some(rest) => rest.strip_prefix(std::path::is_separator),
        None => None,
    };
    match (below, home) {
        (Some(""), Some(home)) => PathBuf::from(home),
        (Some(below), Some(home)) => {
            PathBuf::from(home).join(below.trim_start_matches(std::path::is_separator))
        }
        _ => PathBuf::from(typed),
    }
}
