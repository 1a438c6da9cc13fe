//! Known secrets in texts of a conversation: masked, and named, so that the user sees what is missing.

use std::sync::Arc;

use bytes::Bytes;
use patchbay_config::Servers;
use patchbay_contract::{ProviderId, ServerId};
use patchbay_traffic::Recorder;

use crate::{
    inputs::models::Models,
    servers::vault::{KnownSecrets, SecretSource},
};

/// What a secret is called whose name is not known.
const UNNAMED: &str = "a known secret";

/// Masks secrets as the recorder does, and names them.
#[derive(Clone)]
pub(crate) struct Masker {
    recorder: Recorder,
    known: Arc<KnownSecrets>,
    servers: Arc<Servers>,
    models: Arc<Models>,
}

impl std::fmt::Debug for Masker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Masker").finish_non_exhaustive()
    }
}

impl Masker {
    pub(crate) fn new(
        recorder: &Recorder,
        known: &Arc<KnownSecrets>,
        servers: &Arc<Servers>,
        models: &Arc<Models>,
    ) -> Self {
        Self {
            recorder: recorder.clone(),
            known: known.clone(),
            servers: servers.clone(),
            models: models.clone(),
        }
    }

    /// A text with its secrets masked; none if it has none.
    pub(crate) fn masked(&self, text: &str) -> Option<String> {
        let original = Bytes::copy_from_slice(text.as_bytes());
        let masked = self.recorder.masked(original.clone());
        (masked != original).then(|| String::from_utf8_lossy(&masked).into_owned())
    }

    /// A text with its secrets masked, and their names.
    pub(crate) fn text(&self, text: String) -> (String, Vec<String>) {
        match self.masked(&text) {
            Some(masked) => (masked, self.names(&text)),
            None => (text, Vec::new()),
        }
    }

    /// The names of the secrets in a text that has some.
    pub(crate) fn names(&self, text: &str) -> Vec<String> {
        let names: Vec<String> = self
            .known
            .in_text(text)
            .iter()
            .map(|source| self.name(source))
            .collect();
        match names.is_empty() {
            true => vec![UNNAMED.to_owned()],
            false => names,
        }
    }

    fn name(&self, source: &SecretSource) -> String {
        let server = |id: &str| {
            let server = self.servers.get(&ServerId(id.to_owned()));
            server.map_or_else(|_| "a removed server".to_owned(), |server| server.draft.name)
        };
        let id = match source {
            SecretSource::Setting { server: id, name } if name.is_empty() => {
                return format!("a password of {}", server(&id.0));
            }
            SecretSource::Setting { server: id, name } => return format!("{name} of {}", server(&id.0)),
            SecretSource::Vault(id) => &id.0,
        };
        let mut parts = id.splitn(3, '/');
        match (parts.next(), parts.next(), parts.next()) {
            (Some("provider"), Some(id), _) => {
                let name = self.models.name(&ProviderId(id.to_owned()));
                match name.is_empty() {
                    true => "the key of a removed model provider".to_owned(),
                    false => format!("the key of {name}"),
                }
            }
            (Some("server"), Some(id), Some(rest)) if rest.starts_with("authorization/") => {
                format!("a token for {}", server(id))
            }
            (Some("server"), Some(id), _) => format!("a secret of {}", server(id)),
            (Some("address"), ..) => format!("a token for {}", id.trim_start_matches("address/")),
            _ => UNNAMED.to_owned(),
        }
    }
}
