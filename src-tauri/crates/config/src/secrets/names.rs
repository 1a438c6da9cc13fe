//! Decides by name whether a setting (a variable, an option, a header) holds a secret.
//!
//! A word like `KEY` is enough here, because the value is only hidden from view. Names in recorded traffic are handled by
//! `patchbay-traffic`, which masks fewer of them. `tests/fixtures/secret-names.json` has the cases of both.

/// Words in a setting's name that indicate a secret value.
const WORDS: &[&str] = &[
    "ACCESSKEY",
    "APIKEY",
    "AUTH",
    "AUTHORIZATION",
    "AUTHTOKEN",
    "BEARER",
    "COOKIE",
    "CREDENTIAL",
    "DSN",
    "KEY",
    "PASSPHRASE",
    "PASSWD",
    "PASSWORD",
    "PAT",
    "PRIVATE",
    "PWD",
    "SECRET",
    "SECRETKEY",
    "SESSION",
    "TOKEN",
];
/// Final words of names whose values are a location or a type. Masking those would only distort the log.
const HARMLESS_SUFFIXES: &[&str] = &[
    "FILE", "PATH", "DIR", "FOLDER", "SOCK", "SOCKET", "URL", "URI", "HOST", "PORT", "ADDRESS", "NAME",
    "TYPE", "MODE", "CLASS", "DESKTOP", "ENABLED", "TIMEOUT", "TTL", "SIZE",
];
/// Exceptions: two folders and a desktop.
const NOT: &[&str] = &["PWD", "OLDPWD", "DESKTOP_SESSION"];

/// Whether a setting with this name holds a secret: `GITHUB_TOKEN`, `apiKey`, `--db-password`, `Authorization`; not
/// `MONKEY`, `PATH`, `AUTHOR`, `SSL_KEY_FILE`.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    let words: Vec<String> = words(name).collect();
    let harmless = words
        .last()
        .is_some_and(|last| HARMLESS_SUFFIXES.contains(&last.as_str()));
    let is_one = |word: &String| {
        let one = word.strip_suffix('S').unwrap_or(word);
        WORDS.contains(&word.as_str()) || WORDS.contains(&one)
    };
    !harmless && !NOT.contains(&name) && words.iter().any(is_one)
}

/// `${NAME}` for a secret with this name.
pub(super) fn placeholder(name: &str) -> String {
    let name: Vec<String> = words(name).collect();
    match name.is_empty() {
        true => "${PASSWORD}".to_owned(),
        false => format!("${{{}}}", name.join("_")),
    }
}

/// The words of `SNAKE_CASE`, `--kebab-case` and `camelCase`, in upper case.
fn words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() || (after_lower && c.is_ascii_uppercase()) {
            words.push(String::new());
        }
        after_lower = c.is_ascii_lowercase();
        if c.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_uppercase());
        }
    }
    words.into_iter().filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
