//! `roots.json`: the shared sets of roots, and what the user decided about the roots of each server. Apart from the settings
//! of servers, so that pasted or imported settings never decide.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard},
};

use patchbay_config::new_id;
use patchbay_contract::{
    CommandError, ErrorCode, FolderFacts, RootConsent, RootFolder, RootSetId, RootsRule, ServerId,
};
use serde::{Deserialize, Serialize};

use super::{checks::FolderChecks, folders};
use crate::{
    dispatch::error::fail,
    dispatch::nudges::{Nudges, Topic},
    files::json_file::{JsonFile, lock},
};

/// The maximum number of shared sets.
const MOST_SETS: usize = 100;
/// The maximum number of folders of a set, of a server's own, and of one check.
pub(super) const MOST_FOLDERS: usize = 1_000;
/// The maximum length of a path, in bytes.
const LONGEST_PATH: usize = 4_096;
/// The maximum length of a name, in characters.
const LONGEST_NAME: usize = 100;

/// A shared set of roots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RootSet {
    pub(crate) id: RootSetId,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) folders: Vec<RootFolder>,
}

/// The content of the file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Saved {
    sets: Vec<RootSet>,
    /// Whether a server gets a folder, by the id of the server and the [spelling](folders::spelled) of the path.
    allowed: BTreeMap<String, BTreeMap<String, bool>>,
}

/// The shared sets and the decisions.
#[derive(Debug)]
pub(crate) struct RootStore {
    file: JsonFile,
    nudges: Arc<Nudges>,
    saved: Arc<Mutex<Saved>>,
    /// Of folders that no connection looks at.
    checks: FolderChecks<FolderFacts>,
}

impl RootStore {
    /// Reads the file. As long as it cannot be read, there are no sets and nothing is allowed.
    pub(crate) fn open(path: &Path, writable: bool, nudges: &Arc<Nudges>) -> Arc<Self> {
        let (file, saved) = JsonFile::open(
            path.to_owned(),
            writable,
            "shared roots and decisions about roots",
        );
        Arc::new(Self {
            file,
            nudges: nudges.clone(),
            saved: Arc::new(Mutex::new(saved)),
            checks: FolderChecks::default(),
        })
    }

    /// What folders that no connection looks at would be as roots, in their order.
    pub(super) async fn facts(&self, paths: Vec<PathBuf>) -> Vec<FolderFacts> {
        self.checks.states(paths).await
    }

    pub(super) fn nudges(&self) -> &Nudges {
        &self.nudges
    }

    fn lock(&self) -> MutexGuard<'_, Saved> {
        lock(&self.saved)
    }

    /// Fails if the file cannot be read.
    fn readable(&self) -> Result<(), CommandError> {
        self.file.check(|saved| *self.lock() = saved)
    }

    /// Checks the roots in the settings of a server before these are stored, and that the user's choice can be stored too.
    pub(crate) fn check(&self, rule: Option<&RootsRule>, chosen: &[String]) -> Result<(), CommandError> {
        check_rule(rule)?;
        match chosen {
            [] => Ok(()),
            _ => self.readable(),
        }
    }

    /// All sets, by name.
    pub(crate) fn sets(&self) -> Result<Vec<RootSet>, CommandError> {
        self.readable()?;
        let mut sets = self.lock().sets.clone();
        sets.sort_by_key(|set| set.name.to_lowercase());
        Ok(sets)
    }

    /// One set; none if it does not exist (any more).
    pub(crate) fn set(&self, id: &RootSetId) -> Option<RootSet> {
        let _ = self.readable();
        self.lock().sets.iter().find(|set| set.id == *id).cloned()
    }

    /// What the user decided about these folders for a server.
    pub(crate) fn consent<'a>(
        &self,
        server: &ServerId,
        folders: impl IntoIterator<Item = &'a str>,
    ) -> Vec<RootConsent> {
        let _ = self.readable();
        let saved = self.lock();
        let decided = saved.allowed.get(&server.0);
        let of = |folder: &str| match decided.and_then(|decided| decided.get(folder)) {
            None => RootConsent::Open,
            Some(true) => RootConsent::Allowed,
            Some(false) => RootConsent::Declined,
        };
        folders.into_iter().map(of).collect()
    }

    /// Adds or replaces a set.
    pub(crate) async fn save(
        &self,
        id: Option<RootSetId>,
        name: &str,
        folders: Vec<RootFolder>,
    ) -> Result<RootSetId, CommandError> {
        let set = RootSet {
            id: id.clone().unwrap_or_else(|| RootSetId(new_id().0)),
            name: name.trim().to_owned(),
            folders: checked(folders)?,
        };
        if set.name.is_empty() {
            return Err(invalid("The set needs a name."));
        }
        if set.name.chars().count() > LONGEST_NAME || set.name.contains(char::is_control) {
            return Err(invalid(format!(
                "A set's name has at most {LONGEST_NAME} characters and no line breaks."
            )));
        }
        let saved = set.id.clone();
        self.change(move |all| {
            if let Some(other) = all
                .sets
                .iter()
                .find(|other| other.name == set.name && other.id != set.id)
            {
                return Err(invalid(format!("There is another set named “{}”.", other.name)));
            }
            if let Some(known) = all.sets.iter_mut().find(|known| known.id == set.id) {
                *known = set;
                return Ok(());
            }
            if id.is_some() {
                return Err(gone());
            }
            if all.sets.len() >= MOST_SETS {
                return Err(invalid(format!("There are {MOST_SETS} shared sets already.")));
            }
            all.sets.push(set);
            Ok(())
        })
        .await?;
        Ok(saved)
    }

    /// Removes a set.
    pub(crate) async fn remove(&self, id: &RootSetId) -> Result<(), CommandError> {
        self.change(|all| {
            let before = all.sets.len();
            all.sets.retain(|set| set.id != *id);
            if all.sets.len() < before {
                Ok(())
            } else {
                Err(gone())
            }
        })
        .await
    }

    /// Stores the user's decision about folders of a server.
    pub(crate) async fn decide(
        &self,
        server: &ServerId,
        paths: &[String],
        is_allowed: bool,
    ) -> Result<(), CommandError> {
        if paths.is_empty() {
            return Ok(());
        }
        self.change(|all| {
            let decided = all.allowed.entry(server.0.clone()).or_default();
            decided.extend(paths.iter().map(|path| (folders::spelled(path), is_allowed)));
            Ok(())
        })
        .await
    }

    /// Forgets the decisions about folders that are no longer roots of the server: one that comes back is asked about again.
    pub(crate) async fn keep_only(
        &self,
        server: &ServerId,
        folders: &BTreeSet<String>,
    ) -> Result<(), CommandError> {
        let is_kept = |all: &Saved| {
            let decided = all.allowed.get(&server.0);
            decided.is_none_or(|decided| decided.keys().all(|folder| folders.contains(folder)))
        };
        if is_kept(&self.lock()) {
            return Ok(());
        }
        self.change(|all| {
            if let Some(decided) = all.allowed.get_mut(&server.0) {
                decided.retain(|folder, _| folders.contains(folder));
            }
            all.allowed.retain(|_, decided| !decided.is_empty());
            Ok(())
        })
        .await
    }

    /// Copies the decisions about a server for its copy.
    pub(crate) async fn copy(&self, from: &ServerId, to: &ServerId) -> Result<(), CommandError> {
        let Some(decided) = self.lock().allowed.get(&from.0).cloned() else {
            return Ok(());
        };
        self.change(|all| {
            all.allowed.insert(to.0.clone(), decided);
            Ok(())
        })
        .await
    }

    /// Applies a change, writes it and notifies the fronts. If it cannot be written, nothing changes.
    async fn change(
        &self,
        change: impl FnOnce(&mut Saved) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let writing = self.file.begin().await;
        self.readable()?;
        let mut after = self.lock().clone();
        change(&mut after)?;
        let (saved, nudges, new) = (self.saved.clone(), self.nudges.clone(), after.clone());
        // Nothing is sent by a decision that could not be stored.
        let put = move || {
            *lock(&saved) = new;
            nudges.changed(Topic::Roots);
        };
        self.file.write(writing, after, put).await.map(drop)
    }
}

/// Checks the roots in the settings of a server.
fn check_rule(rule: Option<&RootsRule>) -> Result<(), CommandError> {
    let Some(RootsRule::Folders { paths, .. }) = rule else {
        return Ok(());
    };
    if paths.len() > MOST_FOLDERS {
        return Err(invalid(format!("A server has at most {MOST_FOLDERS} own roots.")));
    }
    let paths = paths.iter().map(|path| path.trim());
    paths.filter(|path| !path.is_empty()).try_for_each(check_path)
}

fn check_path(path: &str) -> Result<(), CommandError> {
    if path.len() <= LONGEST_PATH && folders::is_whole(path.as_ref()) {
        return Ok(());
    }
    let shown: String = path.chars().take(LONGEST_NAME).collect();
    Err(invalid(format!(
        "The path “{shown}” must be absolute, without “..” and at most {LONGEST_PATH} bytes long."
    )))
}

/// The folders as they are stored.
fn checked(folders: Vec<RootFolder>) -> Result<Vec<RootFolder>, CommandError> {
    if folders.len() > MOST_FOLDERS {
        return Err(invalid(format!("A set has at most {MOST_FOLDERS} folders.")));
    }
    let mut kept: Vec<RootFolder> = Vec::new();
    let mut seen = BTreeSet::new();
    for RootFolder { path, name } in folders {
        let path = path.trim().to_owned();
        if path.is_empty() {
            continue;
        }
        check_path(&path)?;
        let name = name
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty());
        // The first spelling of a folder counts.
        if seen.insert(folders::spelled(&path)) {
            kept.push(RootFolder { path, name });
        }
    }
    Ok(kept)
}

fn invalid(message: impl Into<String>) -> CommandError {
    fail(ErrorCode::InvalidParams, message)
}

fn gone() -> CommandError {
    fail(ErrorCode::NotFound, "This shared set was removed.")
}
