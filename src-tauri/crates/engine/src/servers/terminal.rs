//! A server's program in the user's terminal: with the folder, the variables and the PATH that it gets here.

pub(crate) mod handlers;
#[cfg(test)]
mod tests;

use std::path::Path;

use patchbay_config::secrets::{has_reference, is_secret_name};
use patchbay_contract::{EnvVar, TerminalCommandResponse};

/// The command line of a program for a shell, without its secrets.
///
/// `env` and `words` are those of the settings, in which stored secrets are references.
pub(super) fn command_line(
    folder: &Path,
    path: &str,
    env: &[EnvVar],
    words: &[String],
) -> TerminalCommandResponse {
    let mut variables = Vec::new();
    let mut parts = vec![
        format!("cd {}", quoted_for_sh(&folder.to_string_lossy())),
        "&&".to_owned(),
        "env".to_owned(),
        format!("PATH={}", quoted_for_sh(path)),
    ];
    for EnvVar { name, value } in env.iter().filter(|var| is_name(&var.name)) {
        if has_reference(value) || is_secret_name(name) {
            parts.push(format!("{name}=\"${name}\""));
            variables.push(name.clone());
        } else {
            parts.push(format!("{name}={}", quoted_for_sh(value)));
        }
    }
    for word in words {
        if has_reference(word) {
            let name = format!("SECRET_{}", variables.len() + 1);
            parts.push(format!("\"${name}\""));
            variables.push(name);
        } else {
            parts.push(quoted_for_sh(word));
        }
    }
    TerminalCommandResponse {
        command: parts.join(" "),
        variables,
    }
}

/// The program and its arguments as they are shown, without stored secrets.
pub(super) fn shown(words: &[String]) -> String {
    let each = |word: &String| match has_reference(word) {
        true => "\u{2026}".to_owned(),
        false => quoted_for_sh(word),
    };
    let words: Vec<String> = words.iter().map(each).collect();
    format!("$ {}", words.join(" "))
}

/// A word for the shells of this system, in a command that is shown to be typed.
#[must_use]
pub fn quoted(word: &str) -> String {
    match cfg!(windows) {
        true => quoted_for_windows(word),
        false => quoted_for_sh(word),
    }
}

/// A word for `cmd.exe`, which knows no single quotes, and for PowerShell. The program reads `\"` as a quotation mark.
fn quoted_for_windows(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:\\".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    // Backslashes are only special before a quotation mark.
    let last = word.len() - word.trim_end_matches('\\').len();
    format!("\"{}{}\"", word.replace('"', "\\\""), "\\".repeat(last))
}

/// A word for a POSIX shell.
fn quoted_for_sh(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(&byte);
    match !word.is_empty() && word.bytes().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Whether a shell can set a variable of this name.
fn is_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && name.bytes().all(is_part) && !name.starts_with(|c: char| c.is_ascii_digit())
}
