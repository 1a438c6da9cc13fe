//! Which values of a server's settings are secret, judged by their names until the vault holds them.

use patchbay_contract::{ServerDraft, TransportDraft};
use patchbay_traffic::Secret;

/// Words in a variable's name that mean its value must not be shown.
const WORDS: &[&str] = &[
    "TOKEN",
    "KEY",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "PWD",
    "CREDENTIAL",
    "AUTH",
    "BEARER",
    "COOKIE",
    "SESSION",
    "PAT",
    "DSN",
    "PRIVATE",
];

/// The values that the recorder masks from now on.
pub(crate) fn of(draft: &ServerDraft) -> Vec<Secret> {
    let TransportDraft::Stdio { env, .. } = &draft.transport;
    env.iter()
        .filter(|var| is_secret(&var.name))
        .map(|var| Secret::new(var.value.clone()))
        .collect()
}

/// `GITHUB_TOKEN`, `apiKey`, `DB_PASSWORD`; not `MONKEY`, `PATH`, `AUTHOR` or plain `PWD`, which is a folder.
fn is_secret(name: &str) -> bool {
    if name == "PWD" || name == "OLDPWD" {
        return false;
    }
    words(name).any(|word| {
        let word = word
            .strip_suffix('S')
            .filter(|word| WORDS.contains(word))
            .unwrap_or(&word)
            .to_owned();
        WORDS.contains(&word.as_str())
            || ["APIKEY", "ACCESSKEY", "SECRETKEY", "AUTHTOKEN"].contains(&word.as_str())
    })
}

/// The words of `SNAKE_CASE`, `kebab-case` and `camelCase`, in capitals.
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
    words.into_iter()
}

#[cfg(test)]
mod tests {
    use super::is_secret;

    #[test]
    fn names_that_mean_a_secret() {
        for name in [
            "GITHUB_TOKEN",
            "API_KEY",
            "apiKey",
            "APIKEY",
            "OPENAI_API_KEY",
            "DB_PASSWORD",
            "x-auth",
            "CLIENT_SECRET",
            "AWS_SECRET_ACCESS_KEY",
            "API_KEYS",
            "GH_PAT",
            "MYSQL_PWD",
            "authToken",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in [
            "PATH",
            "HOME",
            "MONKEY",
            "AUTHOR",
            "PWD",
            "KEYBOARD",
            "TOKENIZER",
            "LOG_LEVEL",
            "",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
