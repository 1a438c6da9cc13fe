//! The locations of a user's files: the platform's own folders, or one folder for all (`--data-dir`).

use std::path::{Path, PathBuf};

use patchbay_config::{FileError, bundle::remove_unfinished_bundles, remove_unfinished};
use patchbay_contract::ServerId;
use sha2::{Digest as _, Sha256};

use crate::dispatch::error::EngineError;

/// The files of one user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folders {
    /// Configured servers, in the `mcpServers` format.
    pub(crate) servers: PathBuf,
    /// The proxy of Patchbay, without its password.
    pub(crate) proxy: PathBuf,
    /// Which shell is run for the environment of programs, and folders that are added to PATH.
    pub(crate) environment: PathBuf,
    /// Model providers without their keys, and the rules of servers for sampling.
    pub(crate) providers: PathBuf,
    /// Shared sets of roots, and what the user decided about the roots of servers.
    pub(crate) roots: PathBuf,
    /// The traffic store. Its folder is the one that the lock protects.
    pub(crate) store: PathBuf,
    /// Diagnostics.
    pub(crate) log: PathBuf,
    /// The state of the UI.
    pub(crate) ui: PathBuf,
    /// Secrets, encrypted.
    pub(crate) vault: PathBuf,
    /// The detected eras.
    pub(crate) eras: PathBuf,
    /// The last authorization runs.
    pub(crate) authorizations: PathBuf,
    /// The folder of the remembered definitions of tools, one file per server.
    pub(crate) definitions: PathBuf,
    /// The folder of what servers were on their last connections, one folder per server.
    pub(crate) changes: PathBuf,
    /// The folder of the unpacked bundles, one folder per server.
    pub(crate) bundles: PathBuf,
    /// The folder of the conversations, one file each.
    pub(crate) chats: PathBuf,
    /// The rules that run tool calls of conversations without asking.
    pub(crate) chat_rules: PathBuf,
}

impl Folders {
    /// Determines the paths; creates nothing.
    pub(crate) fn locate(data_dir: Option<&Path>) -> Result<Self, EngineError> {
        if let Some(dir) = data_dir {
            let dir = std::path::absolute(dir).map_err(|source| FileError {
                step: "Finding the data folder",
                path: dir.to_owned(),
                source,
            })?;
            return Ok(Self::below(&dir, &dir, &dir));
        }
        let project = directories::ProjectDirs::from("", "", "patchbay").ok_or(EngineError::NoHome)?;
        let state = project.state_dir().unwrap_or_else(|| project.data_local_dir());
        Ok(Self::below(project.config_dir(), project.data_dir(), state))
    }

    /// Deletes what was being written when a Patchbay was killed. Only for the one that holds the lock.
    pub(crate) fn remove_unfinished(&self) {
        // Whatever name a file has within its folder.
        let (definitions, chats) = (self.definitions.join("any"), self.chats.join("any"));
        for file in [&self.servers, &self.store, &self.ui, &definitions, &chats] {
            remove_unfinished(file);
        }
        let servers = std::fs::read_dir(&self.changes).into_iter().flatten().flatten();
        for server in servers {
            remove_unfinished(&server.path().join("any"));
        }
        remove_unfinished_bundles(&self.bundles);
    }

    fn below(config: &Path, data: &Path, state: &Path) -> Self {
        Self {
            servers: config.join("servers.json"),
            proxy: config.join("proxy.json"),
            environment: config.join("environment.json"),
            providers: config.join("providers.json"),
            roots: config.join("roots.json"),
            store: data.join("traffic.sqlite"),
            log: state.join("patchbay.log"),
            vault: data.join("vault.json"),
            ui: state.join("ui.json"),
            eras: state.join("eras.json"),
            authorizations: state.join("authorizations.json"),
            definitions: data.join("definitions"),
            changes: data.join("changes"),
            bundles: data.join("bundles"),
            chats: data.join("chats"),
            chat_rules: config.join("chat-rules.json"),
        }
    }
}

/// The name of a server's file or folder. Ids may be written by hand into `servers.json`, so not each of them is such a name.
pub(crate) fn name_of(server: &ServerId) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let id = &server.0;
    if (1..=64).contains(&id.len()) && id.bytes().all(plain) {
        return id.clone();
    }
    let hash = Sha256::digest(id.as_bytes());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("x{hash}")
}

#[cfg(test)]
mod tests;
