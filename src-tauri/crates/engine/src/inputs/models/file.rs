//! `providers.json`: the providers without their keys, and the rules of servers for sampling.

use std::{collections::BTreeMap, path::PathBuf};

use patchbay_config::write_atomically;
use patchbay_contract::{CommandError, ErrorCode, ProviderApi, ProviderId, SamplingRules};
use serde::{Deserialize, Serialize};

use crate::dispatch::error::{fail, fail_with};

/// The content of the file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Saved {
    pub(super) providers: Vec<SavedProvider>,
    /// By the id of the server.
    pub(super) sampling: BTreeMap<String, SamplingRules>,
}

/// A provider in the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SavedProvider {
    pub(super) id: ProviderId,
    pub(super) name: String,
    pub(super) api: ProviderApi,
    pub(super) base_url: String,
    #[serde(default)]
    pub(super) has_key: bool,
    #[serde(default)]
    pub(super) default_model: Option<String>,
}

/// The file.
#[derive(Debug)]
pub(super) struct ModelsFile {
    path: PathBuf,
    writable: bool,
    /// Why it cannot be read.
    problem: Option<String>,
}

impl ModelsFile {
    pub(super) fn open(path: PathBuf, writable: bool) -> (Self, Saved) {
        let (saved, problem) = match std::fs::read_to_string(&path) {
            Ok(text) => match serde_json::from_str(&text) {
                Ok(saved) => (saved, None),
                Err(error) => (Saved::default(), Some(error.to_string())),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => (Saved::default(), None),
            Err(error) => (Saved::default(), Some(error.to_string())),
        };
        let file = Self {
            path,
            writable,
            problem,
        };
        (file, saved)
    }

    /// Fails if the file cannot be read.
    pub(super) fn check(&self) -> Result<(), CommandError> {
        match &self.problem {
            None => Ok(()),
            Some(problem) => Err(fail(
                ErrorCode::Storage,
                format!(
                    "The model providers in {} cannot be read: {problem}. Correct or move the file, then restart Patchbay.",
                    self.path.display()
                ),
            )),
        }
    }

    pub(super) async fn write(&self, saved: Saved) -> Result<(), CommandError> {
        if !self.writable {
            return Ok(());
        }
        let path = self.path.clone();
        let write = move || {
            let text = serde_json::to_string_pretty(&saved).map_err(|error| {
                fail_with(
                    ErrorCode::Internal,
                    "The model providers were not written.",
                    error,
                )
            })?;
            Ok(write_atomically(&path, &text)?)
        };
        tokio::task::spawn_blocking(write).await.map_err(|error| {
            fail_with(
                ErrorCode::Internal,
                "The model providers were not written.",
                error,
            )
        })?
    }
}
