//! The known secrets with their names: which of them a text has, in words.

use std::sync::{Mutex, MutexGuard, PoisonError};

use patchbay_contract::ServerId;
use patchbay_secret::Secret;
use patchbay_traffic::has_secret;
use patchbay_vault::SecretId;

/// Where a secret is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SecretSource {
    /// The settings of a server, or the environment that it gets: the name of the variable, header or option there.
    Setting { server: ServerId, name: String },
    /// The vault.
    Vault(SecretId),
}

/// All secrets that the recorder masks and whose names are known. They are never removed: what a removed server knew is
/// still a secret.
#[derive(Debug, Default)]
pub(crate) struct KnownSecrets(Mutex<Vec<(SecretSource, Secret)>>);

impl KnownSecrets {
    fn lock(&self) -> MutexGuard<'_, Vec<(SecretSource, Secret)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds secrets that are not known yet.
    pub(crate) fn add(&self, more: impl IntoIterator<Item = (SecretSource, Secret)>) {
        let mut known = self.lock();
        for one in more {
            if !known.contains(&one) {
                known.push(one);
            }
        }
    }

    /// Adds the secrets in the settings of a server, with their names.
    pub(crate) fn add_settings(&self, server: &ServerId, secrets: &[(String, Secret)]) {
        let named = secrets.iter().map(|(name, value)| {
            let (server, name) = (server.clone(), name.clone());
            (SecretSource::Setting { server, name }, value.clone())
        });
        self.add(named);
    }

    /// Where the secrets in a text are from. The name in the settings of a server says more than the place in the vault.
    pub(crate) fn in_text(&self, text: &str) -> Vec<SecretSource> {
        let all = self.lock().clone();
        let is_setting = |source: &SecretSource| matches!(source, SecretSource::Setting { .. });
        let says_more = |value: &Secret| {
            all.iter()
                .any(|(source, other)| is_setting(source) && other == value)
        };
        let mut tried: Vec<(&Secret, bool)> = Vec::new();
        let mut found = Vec::new();
        for (source, value) in &all {
            if !is_setting(source) && says_more(value) {
                continue;
            }
            let known = tried
                .iter()
                .find(|(other, _)| *other == value)
                .map(|(_, has)| *has);
            let has = known.unwrap_or_else(|| has_secret(text.as_bytes(), value));
            tried.push((value, has));
            if has {
                found.push(source.clone());
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secrets_in_a_text_are_named_in_every_encoding_and_once() {
        let known = KnownSecrets::default();
        let setting = |name: &str| SecretSource::Setting {
            server: ServerId("s".to_owned()),
            name: name.to_owned(),
        };
        let stored = |id: &str| SecretSource::Vault(SecretId(id.to_owned()));
        let secret = Secret::new;
        known.add([
            (stored("server/s/1a"), secret("s3cr3t-\"t0k3n\"")),
            (stored("provider/p/key"), secret("another-key-1")),
        ]);
        known.add([(setting("API_TOKEN"), secret("s3cr3t-\"t0k3n\""))]);
        known.add([(setting("API_TOKEN"), secret("s3cr3t-\"t0k3n\""))]);
        assert_eq!(
            known.in_text(r#"{"a":"s3cr3t-\"t0k3n\""}"#),
            [setting("API_TOKEN")]
        );
        // "another-key-1" in base64, and in hex.
        assert_eq!(known.in_text("YW5vdGhlci1rZXktMQ=="), [stored("provider/p/key")]);
        assert_eq!(
            known.in_text("616e6f746865722d6b65792d31"),
            [stored("provider/p/key")]
        );
        assert_eq!(known.in_text("s3cr3t another key"), []);
    }
}
