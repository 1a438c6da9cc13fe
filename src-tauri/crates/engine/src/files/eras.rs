//! The detected era of each server, stored between connections. It is a finding, not a user's setting, so it is stored with
//! our own state.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use patchbay_client::Verdict;
use patchbay_contract::{Era, HttpDialect, RememberedEra, ServerId, TransportDraft};
use patchbay_protocol as protocol;
use patchbay_transport::Dialect;
use serde::{Deserialize, Serialize};

use patchbay_config::write_atomically;

use super::late_file::LateFile;

/// The findings, in a file or in memory.
#[derive(Debug)]
pub(crate) struct Eras {
    file: LateFile,
    writable: bool,
    known: Mutex<BTreeMap<String, Finding>>,
    /// Held while writing, so that the latest findings are written last.
    writing: tokio::sync::Mutex<()>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    #[serde(flatten)]
    era: RememberedEra,
    /// A fingerprint of how the server is reached: after a change it may speak another era.
    of: String,
}

impl Eras {
    /// Reads the findings. What is not understood counts as empty, and the eras are detected again.
    pub(crate) fn open(file: PathBuf, writable: bool) -> Self {
        let (file, known) = LateFile::open(file);
        Self {
            file,
            writable,
            known: Mutex::new(known),
            writing: tokio::sync::Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Finding>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The finding for a server that is reached in this way.
    pub(crate) fn get(&self, server: &ServerId, transport: &TransportDraft) -> Option<RememberedEra> {
        let known = self.lock();
        let finding = known.get(&server.0)?;
        (finding.of == fingerprint(transport)).then(|| finding.era.clone())
    }

    /// Stores a finding, or removes it (none). Returns whether anything changed. Concurrent readers see the new value
    /// without waiting for the disk.
    pub(crate) async fn set(
        &self,
        server: &ServerId,
        transport: &TransportDraft,
        era: Option<RememberedEra>,
    ) -> bool {
        let changed = self.change(server, transport, era);
        if changed
            && self.writable
            && let Err(error) = self.write().await
        {
            // Without it the next connect probes again.
            tracing::warn!(%error, "the detected eras could not be stored");
        }
        changed
    }

    fn change(&self, server: &ServerId, transport: &TransportDraft, era: Option<RememberedEra>) -> bool {
        let mut known = self.lock();
        let finding = era.map(|era| Finding {
            era,
            of: fingerprint(transport),
        });
        let changed = known.get(&server.0) != finding.as_ref();
        match finding {
            Some(finding) => known.insert(server.0.clone(), finding),
            None => known.remove(&server.0),
        };
        changed
    }

    async fn write(&self) -> Result<(), String> {
        let _writing = self.writing.lock().await;
        let file = self.file.clone();
        let late = tokio::task::spawn_blocking(move || file.rest::<BTreeMap<String, Finding>>())
            .await
            .map_err(|error| error.to_string())??;
        let text = {
            let mut known = self.lock();
            for (server, finding) in late {
                known.entry(server).or_insert(finding);
            }
            serde_json::to_string(&*known).map_err(|error| error.to_string())?
        };
        let path = self.file.path().to_owned();
        tokio::task::spawn_blocking(move || write_atomically(&path, &text))
            .await
            .map_err(|error| error.to_string())?
            .map_err(|error| error.to_string())
    }
}

/// A hash of how a server is reached, which may contain secrets.
fn fingerprint(transport: &TransportDraft) -> String {
    let reached = match transport {
        TransportDraft::Stdio { command, args, .. } => std::iter::once(command)
            .chain(args)
            .cloned()
            .collect::<Vec<_>>()
            .join("\0"),
        TransportDraft::Http { url, kind, .. } => format!("{url}\0{kind:?}"),
    };
    // FNV-1a: stable across versions of the standard library.
    let hash = reached.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// Converts a finding from the client.
pub(crate) fn of_verdict(verdict: Verdict, transport: &TransportDraft) -> RememberedEra {
    RememberedEra {
        era: match verdict.era {
            protocol::Era::Legacy => Era::Legacy,
            protocol::Era::Modern => Era::Modern,
        },
        dialect: match (transport, verdict.dialect) {
            (TransportDraft::Stdio { .. }, _) => None,
            (_, Dialect::HttpSse) => Some(HttpDialect::HttpSse),
            (_, Dialect::Modern | Dialect::Legacy) => Some(HttpDialect::StreamableHttp),
        },
    }
}

/// Converts a finding for the client.
pub(crate) fn to_verdict(era: &RememberedEra) -> Verdict {
    let (era, dialect) = match (era.era, era.dialect) {
        (Era::Modern, _) => (protocol::Era::Modern, Dialect::Modern),
        (Era::Legacy, Some(HttpDialect::HttpSse)) => (protocol::Era::Legacy, Dialect::HttpSse),
        (Era::Legacy, _) => (protocol::Era::Legacy, Dialect::Legacy),
    };
    Verdict { era, dialect }
}

#[cfg(test)]
mod tests;
