//! The files of remembered definitions, one per server, readable by their owner only.
//!
//! Several programs may use them at once (the window, and `patchbay tools accept`): a change is made under a lock on a file
//! beside it, on what is stored at that moment, and a file that another program replaced is read again.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{ErrorKind, Read as _},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use patchbay_config::{make_parent, write_atomically};
use patchbay_contract::{CommandError, DefinitionTrust, ErrorCode, ServerId, ToolChange};
use serde::{Deserialize, Serialize};

use super::{
    compare::{Remembered, RememberedTool, Review},
    snapshot::{Definitions, Snapshot},
};
use crate::{
    dispatch::error::{fail, fail_with},
    files::folders::name_of,
};

/// The version of the format.
const VERSION: u32 = 1;
/// The maximum size of the definitions of one server, in bytes: that of a list.
const MOST_BYTES: usize = 64 * 1024 * 1024;
/// The maximum size of a file, in bytes. Escaping at most doubles JSON text.
const LARGEST_FILE: u64 = 160 * 1024 * 1024;

/// The remembered definitions of all servers.
#[derive(Debug)]
pub(crate) struct DefinitionStore {
    folder: PathBuf,
    /// Whether definitions are remembered without a request: not by one-shot commands.
    pub(super) automatic: bool,
    read: Mutex<HashMap<ServerId, (Stamp, StoredDefinitions)>>,
    /// The tools whose definition changed since the user reviewed it, of the servers that were listed.
    unreviewed: Mutex<HashMap<ServerId, HashSet<String>>>,
}

/// What is stored for a server.
#[derive(Debug, Clone)]
pub(super) enum StoredDefinitions {
    Nothing,
    Remembered(Arc<Remembered>),
    /// Why the file cannot be used.
    Damaged(String),
}

/// Tells a replaced file from the one that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    inode: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredFile {
    version: u32,
    server: String,
    first_at_ms: f64,
    accepted_at_ms: Option<f64>,
    tools: Vec<StoredTool>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredTool {
    name: String,
    definitions: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    added: bool,
    /// The definitions before a change that was accepted without a review.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reviewed: Vec<String>,
}

impl DefinitionStore {
    pub(crate) fn new(folder: PathBuf, automatic: bool) -> Self {
        Self {
            folder,
            automatic,
            read: Mutex::default(),
            unreviewed: Mutex::default(),
        }
    }

    /// Whether the definition of a listed tool changed since the user reviewed it. Then nothing runs it without asking.
    pub(crate) fn is_unreviewed(&self, server: &ServerId, tool: &str) -> bool {
        let known = self.unreviewed.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(server).is_some_and(|tools| tools.contains(tool))
    }

    /// Notes which listed tools differ from what the user reviewed. Blocks.
    pub(super) fn note_unreviewed(&self, server: &ServerId, listed: &Snapshot) {
        let changed = match self.get(server) {
            StoredDefinitions::Nothing => HashSet::new(),
            StoredDefinitions::Remembered(known) => {
                let all = known.differences(listed, DefinitionTrust::Ask).into_iter();
                let changed = all.filter(|item| item.change == ToolChange::Changed);
                changed.map(|item| item.name).collect()
            }
            StoredDefinitions::Damaged(_) => listed.names().into_iter().map(str::to_owned).collect(),
        };
        let mut known = self.unreviewed.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(server.clone(), changed);
    }

    /// What is stored for a server. Blocks.
    pub(super) fn get(&self, server: &ServerId) -> StoredDefinitions {
        let path = self.path(server);
        let stamp = match std::fs::metadata(&path) {
            Ok(found) => stamp(&found),
            Err(error) if error.kind() == ErrorKind::NotFound => return StoredDefinitions::Nothing,
            Err(error) => return damaged(&path, &error),
        };
        if let Some((known, kept)) = self.lock().get(server)
            && *known == stamp
        {
            return kept.clone();
        }
        let kept = match read(&path, server) {
            Ok(remembered) => StoredDefinitions::Remembered(Arc::new(remembered)),
            Err(error) => damaged(&path, &error),
        };
        // What could not be read now may be readable later.
        if let StoredDefinitions::Remembered(_) = &kept {
            self.lock().insert(server.clone(), (stamp, kept.clone()));
        }
        kept
    }

    /// Changes what is stored, starting from what is stored at that moment. `change` returns none to leave it. Blocks.
    ///
    /// # Errors
    /// `Storage` if it cannot be written or would be too large.
    pub(super) fn change(
        &self,
        server: &ServerId,
        change: impl FnOnce(&StoredDefinitions) -> Option<Remembered>,
    ) -> Result<(), CommandError> {
        let path = self.path(server);
        make_parent(&path)?;
        let failed = |error: &dyn std::fmt::Display| {
            fail_with(
                ErrorCode::Storage,
                "The tools' definitions could not be remembered.",
                error,
            )
        };
        let mut options = File::options();
        options.create(true).truncate(false).write(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let turn = options
            .open(path.with_extension("lock"))
            .map_err(|error| failed(&error))?;
        turn.lock().map_err(|error| failed(&error))?;
        let Some(next) = change(&self.get(server)) else {
            return Ok(());
        };
        if next.bytes() > MOST_BYTES {
            let message = format!("The definitions of the tools are larger than {MOST_BYTES} bytes.");
            return Err(fail(ErrorCode::Storage, message));
        }
        let text = serde_json::to_string(&stored(server, &next)).map_err(|error| failed(&error))?;
        write_atomically(&path, &text)?;
        // The next reader finds the new file by its stamp.
        self.lock().remove(server);
        Ok(())
    }

    /// Forgets a server. Blocks.
    pub(super) fn remove(&self, server: &ServerId) {
        let path = self.path(server);
        for path in [path.with_extension("lock"), path] {
            if let Err(error) = std::fs::remove_file(&path)
                && error.kind() != ErrorKind::NotFound
            {
                tracing::warn!(%error, "the definitions of a removed server's tools are still stored");
            }
        }
        self.lock().remove(server);
        let mut unreviewed = self.unreviewed.lock().unwrap_or_else(PoisonError::into_inner);
        unreviewed.remove(server);
    }

    fn path(&self, server: &ServerId) -> PathBuf {
        self.folder.join(format!("{}.json", name_of(server)))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ServerId, (Stamp, StoredDefinitions)>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn damaged(path: &std::path::Path, why: &dyn std::fmt::Display) -> StoredDefinitions {
    StoredDefinitions::Damaged(format!(
        "The file of remembered definitions {} cannot be used: {why}.",
        path.display()
    ))
}

fn stamp(found: &std::fs::Metadata) -> Stamp {
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(found);
    #[cfg(not(unix))]
    let inode = 0;
    Stamp {
        modified: found.modified().ok(),
        length: found.len(),
        inode,
    }
}

fn read(path: &std::path::Path, server: &ServerId) -> Result<Remembered, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut text = String::new();
    let mut limited = file.take(LARGEST_FILE + 1);
    limited
        .read_to_string(&mut text)
        .map_err(|error| error.to_string())?;
    if text.len() as u64 > LARGEST_FILE {
        return Err(format!("it is larger than {LARGEST_FILE} bytes"));
    }
    let stored: StoredFile = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if stored.version != VERSION {
        return Err(format!("its format has the version {}", stored.version));
    }
    if stored.server != server.0 {
        return Err("it belongs to another server".to_owned());
    }
    let tools = stored.tools.into_iter().map(|tool| {
        let reviewed = Definitions::new(tool.reviewed);
        let review = match (tool.added, reviewed.is_empty()) {
            (true, _) => Some(Review::Added),
            (false, true) => None,
            (false, false) => Some(Review::Changed(reviewed)),
        };
        let definitions = Definitions::new(tool.definitions);
        let kept = RememberedTool { definitions, review };
        (tool.name, kept)
    });
    Ok(Remembered {
        first_at_ms: stored.first_at_ms,
        accepted_at_ms: stored.accepted_at_ms,
        tools: tools.collect(),
    })
}

fn stored(server: &ServerId, remembered: &Remembered) -> StoredFile {
    let tools = remembered.tools.iter().map(|(name, tool)| StoredTool {
        name: name.clone(),
        definitions: tool.definitions.texts.clone(),
        added: tool.review == Some(Review::Added),
        reviewed: match &tool.review {
            Some(Review::Changed(reviewed)) => reviewed.texts.clone(),
            Some(Review::Added) | None => Vec::new(),
        },
    });
    StoredFile {
        version: VERSION,
        server: server.0.clone(),
        first_at_ms: remembered.first_at_ms,
        accepted_at_ms: remembered.accepted_at_ms,
        tools: tools.collect(),
    }
}
