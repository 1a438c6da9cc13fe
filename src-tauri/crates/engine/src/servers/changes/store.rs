//! What is known of the changes of all servers, in memory and in files.

use std::{
    collections::{BTreeMap, HashMap},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use patchbay_contract::{ChangedItem, FactChangeItem, ListKind, ServerId};
use sha2::{Digest, Sha256};

use super::{
    ListRead,
    compare::{Facts, Item, differences, items},
    files::{Files, ServerRecord},
};
use crate::files::folders::name_of;

/// What changed on all servers since they were seen.
#[derive(Debug)]
pub(crate) struct ChangeStore {
    folder: PathBuf,
    /// Whether connections are compared: not by one-shot commands.
    pub(super) automatic: bool,
    known: Mutex<HashMap<ServerId, Arc<Changes>>>,
    /// Held while files are read and written.
    turn: Mutex<()>,
}

/// What changed on one server, as far as it was compared on its latest connection.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Changes {
    /// Counts the differences between the contents of this.
    pub(super) revision: u64,
    /// When the server was as it is compared with, in ms since the Unix epoch; none before its first connection.
    pub(super) since_ms: Option<f64>,
    pub(super) facts: Vec<FactChangeItem>,
    pub(super) lists: BTreeMap<ListKind, ListComparison>,
    /// What the server says about itself now.
    now: Facts,
}

/// A list that was compared.
#[derive(Debug, Clone, Default)]
pub(super) struct ListComparison {
    pub(super) items: Vec<ChangedItem>,
    pub(super) complete: bool,
    /// The revision of the list that was compared.
    revision: u32,
    /// A hash of the list, so that another change of a changed item is noticed.
    content: [u8; 32],
}

/// The same list may be read again.
impl PartialEq for ListComparison {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items && self.complete == other.complete && self.content == other.content
    }
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.lists.values().all(|list| list.items.is_empty())
    }
}

impl ChangeStore {
    pub(crate) fn new(folder: PathBuf, automatic: bool) -> Self {
        Self {
            folder,
            automatic,
            known: Mutex::default(),
            turn: Mutex::default(),
        }
    }

    /// What changed on a server.
    pub(super) fn get(&self, server: &ServerId) -> Arc<Changes> {
        self.lock().get(server).cloned().unwrap_or_default()
    }

    /// A server is connected and says this about itself. Returns whether its changes are others now. Blocks.
    pub(super) fn connected(&self, server: &ServerId, facts: Facts, now_ms: f64) -> Result<bool, String> {
        let _turn = self.turn();
        let files = self.files(server);
        let about = files.about(&server.0).inspect_err(|_| {
            // Nothing is compared, not even with the connection before.
            self.put(
                server,
                Changes {
                    now: facts.clone(),
                    ..Changes::default()
                },
            );
        })?;
        let (about, since_ms) = match about {
            None => (ServerRecord::first(&server.0, facts.clone(), now_ms), now_ms),
            Some(kept) => {
                // While nothing differs, the last connection is the one to compare with.
                let since_ms = if kept.differs { kept.since_ms } else { kept.last_ms };
                let about = ServerRecord {
                    since_ms,
                    last_ms: now_ms,
                    ..kept
                };
                (about, since_ms)
            }
        };
        let changes = Changes {
            since_ms: Some(since_ms),
            facts: about.facts.changes(&facts),
            now: facts,
            ..Changes::default()
        };
        // Lists of the last connection that differed are compared again once they are listed.
        let differs = !changes.facts.is_empty() || about.differs;
        files.write_about(&ServerRecord { differs, ..about })?;
        Ok(self.put(server, changes))
    }

    /// A list was read. Returns whether the changes are others now. Blocks.
    pub(super) fn listed(&self, server: &ServerId, read: ListRead) -> Result<bool, String> {
        let _turn = self.turn();
        let mut changes = Changes::clone(&self.get(server));
        let list = read.list;
        if changes
            .lists
            .get(&list)
            .is_some_and(|known| known.revision > read.revision)
        {
            return Ok(false);
        }
        let files = self.files(server);
        let now = items(list, read.identity, read.rows);
        let content = hash(&now);
        let kept = match files.list(list)? {
            Some(kept) => kept,
            None if !read.complete => return Ok(false),
            // At first sight there is nothing to compare with.
            None => {
                files.write_list(list, now.clone())?;
                now.clone()
            }
        };
        let items = differences(list, &kept, &now, read.complete);
        let next = (!items.is_empty()).then(|| merged(kept, now, read.complete));
        let compared = ListComparison {
            items,
            complete: read.complete,
            revision: read.revision,
            content,
        };
        files.write_next(list, next)?;
        changes.lists.insert(list, compared);
        self.say_whether_it_differs(&files, server, &changes)?;
        Ok(self.put(server, changes))
    }

    /// The definitions of an item before and now. Blocks.
    pub(super) fn definitions(
        &self,
        server: &ServerId,
        list: ListKind,
        id: &str,
    ) -> (Option<Item>, Option<Item>) {
        let _turn = self.turn();
        let files = self.files(server);
        let find =
            |items: Result<Option<Vec<Item>>, String>| items.ok()??.into_iter().find(|item| item.id == id);
        (find(files.list(list)), find(files.next(list)))
    }

    /// From now on the server is compared with what it is now, if `revision` names its changes. Returns whether it does. Blocks.
    pub(super) fn seen(&self, server: &ServerId, revision: u64, now_ms: f64) -> Result<bool, String> {
        let _turn = self.turn();
        let changes = self.get(server);
        if changes.revision != revision {
            return Ok(false);
        }
        let files = self.files(server);
        for (list, _) in changes
            .lists
            .iter()
            .filter(|(_, compared)| !compared.items.is_empty())
        {
            files.adopt(*list)?;
        }
        files.write_about(&ServerRecord::first(&server.0, changes.now.clone(), now_ms))?;
        let lists = changes.lists.iter().map(|(list, compared)| {
            let items = Vec::new();
            (
                *list,
                ListComparison {
                    items,
                    ..compared.clone()
                },
            )
        });
        let seen = Changes {
            since_ms: Some(now_ms),
            facts: Vec::new(),
            lists: lists.collect(),
            ..Changes::clone(&changes)
        };
        self.put(server, seen);
        Ok(true)
    }

    /// From now on a list is compared with what it is now: the user has seen its changes elsewhere. Blocks.
    pub(crate) fn seen_list(&self, server: &ServerId, list: ListKind) -> Result<(), String> {
        let _turn = self.turn();
        let mut changes = Changes::clone(&self.get(server));
        if let Some(compared) = changes.lists.get_mut(&list)
            && !compared.items.is_empty()
        {
            compared.items = Vec::new();
            let files = self.files(server);
            files.adopt(list)?;
            self.say_whether_it_differs(&files, server, &changes)?;
            self.put(server, changes);
        }
        Ok(())
    }

    /// Forgets a server. Blocks.
    pub(super) fn forget(&self, server: &ServerId) {
        let _turn = self.turn();
        self.lock().remove(server);
        let folder = self.files(server).0;
        if let Err(error) = std::fs::remove_dir_all(&folder)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "what a removed server was is still stored");
        }
    }

    /// Notes for the next connection whether something differs.
    fn say_whether_it_differs(&self, files: &Files, server: &ServerId, now: &Changes) -> Result<(), String> {
        let differs = !now.is_empty() || files.any_next();
        match files.about(&server.0)? {
            Some(about) if about.differs != differs => files.write_about(&ServerRecord { differs, ..about }),
            _ => Ok(()),
        }
    }

    fn put(&self, server: &ServerId, mut changes: Changes) -> bool {
        let mut known = self.lock();
        let before = known.get(server).cloned().unwrap_or_default();
        changes.revision = before.revision;
        if *before == changes {
            return false;
        }
        changes.revision += 1;
        known.insert(server.clone(), Arc::new(changes));
        true
    }

    fn files(&self, server: &ServerId) -> Files {
        Files(self.folder.join(name_of(server)))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ServerId, Arc<Changes>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a list is now. What is missing in an incomplete one is as it was.
fn merged(kept: Vec<Item>, mut now: Vec<Item>, complete: bool) -> Vec<Item> {
    if !complete {
        let listed: std::collections::HashSet<String> = now.iter().map(|item| item.id.clone()).collect();
        now.extend(kept.into_iter().filter(|item| !listed.contains(&item.id)));
    }
    now
}

fn hash(items: &[Item]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for item in items {
        hash.update(Sha256::digest(item.id.as_bytes()));
        item.forms.iter().for_each(|form| hash.update(form));
    }
    hash.finalize().into()
}
