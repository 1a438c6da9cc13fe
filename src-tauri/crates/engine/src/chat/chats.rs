//! All conversations: their folder, those that are open, and the rules that hold for all.

pub(super) mod locate;

use std::{
    collections::{HashMap, hash_map::Entry},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use patchbay_contract::*;
use patchbay_vault::random_name;

use super::{
    conversation::Conversation,
    item::{Item, Masker, messages, now_ms, title_of},
    journal::{Journal, StoredConversation, read},
    rules::Rules,
};
use crate::{
    dispatch::error::{blocking, fail, vault_failed},
    dispatch::nudges::{Nudges, Topic},
    files::folders::Folders,
};

/// The text around what a search found, in characters on each side.
const AROUND: usize = 60;

/// The conversations.
#[derive(Debug)]
pub(crate) struct Chats {
    /// None: they are kept in memory only.
    folder: Option<PathBuf>,
    nudges: Arc<Nudges>,
    masker: Masker,
    open: Mutex<HashMap<ChatId, Arc<Conversation>>>,
    /// What was read from files that are not open, for as long as they do not change.
    peeked: Mutex<HashMap<PathBuf, (SystemTime, ChatSummary)>>,
    pub(super) rules: Rules,
}

impl Chats {
    /// Reads nothing yet but the rules.
    pub(crate) fn open(folders: &Folders, persistent: bool, nudges: Arc<Nudges>, masker: Masker) -> Self {
        Self {
            folder: persistent.then(|| folders.chats.clone()),
            rules: Rules::open(persistent.then(|| folders.chat_rules.clone())),
            nudges,
            masker,
            open: Mutex::default(),
            peeked: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ChatId, Arc<Conversation>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops all turns without waiting for them.
    pub(crate) fn abandon_all(&self) {
        for conversation in self.lock().values() {
            conversation.abandon();
        }
    }

    /// Writes what could not be written when it happened.
    pub(crate) async fn write_kept(&self) {
        let open: Vec<_> = self.lock().values().cloned().collect();
        for conversation in open {
            if let Err(error) = conversation.write_kept().await {
                tracing::error!(
                    error = error.message,
                    "a conversation is not saved as it was shown"
                );
            }
        }
    }

    fn path(&self, id: &ChatId) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{id}.jsonl")))
    }

    /// Begins a conversation. Its file is written with its first item.
    pub(super) fn create(&self, settings: ChatSettings) -> Result<Arc<Conversation>, CommandError> {
        let id = ChatId(random_name().map_err(vault_failed)?);
        let stored = StoredConversation {
            id: id.0.clone(),
            created_at_ms: now_ms(),
            settings,
            ..StoredConversation::default()
        };
        let conversation = self.made(id.clone(), stored);
        self.lock().insert(id, conversation.clone());
        self.nudges.changed(Topic::Chats);
        Ok(conversation)
    }

    fn made(&self, id: ChatId, stored: StoredConversation) -> Arc<Conversation> {
        let journal = self.path(&id).map(|path| Journal::new(path, stored.complete));
        let masker = Some(self.masker.clone());
        Arc::new(Conversation::new(
            id,
            stored,
            journal,
            self.nudges.clone(),
            masker,
        ))
    }

    /// A conversation; it is read if it is not open.
    pub(super) async fn get(&self, id: &ChatId) -> Result<Arc<Conversation>, CommandError> {
        if let Some(open) = self.lock().get(id) {
            return Ok(open.clone());
        }
        let unknown = || fail(ErrorCode::NotFound, "There is no such conversation (any more).");
        // The id becomes a file name.
        if id.0.is_empty() || !id.0.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(unknown());
        }
        let path = self.path(id).ok_or_else(unknown)?;
        if !path.exists() {
            return Err(unknown());
        }
        let file = path.clone();
        let stored = on_disk(move || Ok(read(&file)?)).await?;
        let made = self.made(id.clone(), stored);
        let conversation = match self.lock().entry(id.clone()) {
            Entry::Occupied(open) => open.get().clone(),
            // It may have been deleted since it was read.
            Entry::Vacant(_) if !path.exists() => return Err(unknown()),
            Entry::Vacant(place) => place.insert(made).clone(),
        };
        self.nudges.changed(Topic::Chats);
        Ok(conversation)
    }

    pub(super) async fn remove(&self, id: &ChatId) -> Result<(), CommandError> {
        let conversation = self.get(id).await?;
        conversation.remove().await?;
        self.lock().remove(id);
        self.nudges.changed(Topic::Chats);
        Ok(())
    }

    /// The conversations that contain a text, the last changed first.
    pub(super) async fn list(&self, search: Option<&str>) -> Result<ChatListResponse, CommandError> {
        let search = search.map(str::trim).filter(|text| !text.is_empty());
        let search = search.map(str::to_lowercase);
        let open: HashMap<ChatId, Arc<Conversation>> = self.lock().clone();
        let mut items: Vec<ChatSummary> = Vec::new();
        for conversation in open.values() {
            let state = conversation.lock();
            let is_used =
                !state.items.is_empty() || state.phase != ChatPhase::Idle || !state.title.is_empty();
            let summary = state.summary(&conversation.id);
            let shown = match &search {
                None => Some(summary),
                Some(text) => {
                    let shown = state.items.iter().map(|entry| &entry.item);
                    found(text, summary, shown.chain(state.aside()))
                }
            };
            // One that was begun and never used is not listed.
            items.extend(shown.filter(|_| is_used));
        }
        if let Some(folder) = self.folder.clone() {
            let peeked = self.lock_peeked().clone();
            let known: Vec<ChatId> = open.into_keys().collect();
            let others = on_disk(move || Ok(peek_all(&folder, &known, &peeked, search.as_deref()))).await?;
            let mut remembered = self.lock_peeked();
            for (path, modified, summary) in others {
                if let Some(modified) = modified
                    && summary.found.is_none()
                {
                    remembered.insert(path, (modified, summary.clone()));
                }
                items.push(summary);
            }
        }
        items.sort_by(|one, other| other.updated_at_ms.total_cmp(&one.updated_at_ms));
        let folder = self.folder.as_ref().map(|folder| folder.display().to_string());
        Ok(ChatListResponse { items, folder })
    }

    fn lock_peeked(&self) -> MutexGuard<'_, HashMap<PathBuf, (SystemTime, ChatSummary)>> {
        self.peeked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) type FileSummary = (PathBuf, Option<SystemTime>, ChatSummary);

/// The rows of the files that are not open.
pub(super) fn peek_all(
    folder: &Path,
    open: &[ChatId],
    peeked: &HashMap<PathBuf, (SystemTime, ChatSummary)>,
    search: Option<&str>,
) -> Vec<FileSummary> {
    let mut found_files = Vec::new();
    for (path, id) in files(folder) {
        if open.contains(&id) {
            continue;
        }
        let modified = path.metadata().and_then(|metadata| metadata.modified()).ok();
        if let (None, Some((then, summary))) = (search, peeked.get(&path))
            && modified == Some(*then)
        {
            found_files.push((path, modified, summary.clone()));
            continue;
        }
        let summary = peek(&path, &id, search);
        // What cannot be read now is read again with the next list.
        found_files.extend(summary.map(|(was_read, summary)| (path, modified.filter(|_| was_read), summary)));
    }
    found_files
}

/// The files of conversations in a folder. Without the folder there is none yet.
fn files(folder: &Path) -> impl Iterator<Item = (PathBuf, ChatId)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let path = entry.path();
        let id = path.file_name()?.to_str()?.strip_suffix(".jsonl")?.to_owned();
        Some((path, ChatId(id)))
    })
}

/// The row of a file, and whether the file could be read.
fn peek(path: &Path, id: &ChatId, search: Option<&str>) -> Option<(bool, ChatSummary)> {
    let read = read(path);
    let was_read = read.is_ok();
    let stored = match read {
        Ok(stored) => stored,
        Err(error) => StoredConversation {
            read_only: Some(format!("{error}.")),
            ..StoredConversation::default()
        },
    };
    let title = match stored.title.is_empty() {
        true => title_of(stored.items.iter()),
        false => stored.title,
    };
    let summary = ChatSummary {
        id: id.clone(),
        title,
        updated_at_ms: stored.items.last().map_or(stored.created_at_ms, Item::at_ms),
        messages: messages(stored.items.iter()),
        phase: ChatPhase::Idle,
        waiting: 0,
        read_only: stored.read_only,
        found: None,
    };
    let summary = match search {
        None => Some(summary),
        Some(text) => found(text, summary, stored.items.iter().chain(&stored.aside)),
    };
    Some((was_read, summary?))
}

/// The row with what was found; none if nothing was.
fn found<'a>(text: &str, summary: ChatSummary, items: impl Iterator<Item = &'a Item>) -> Option<ChatSummary> {
    if summary.title.to_lowercase().contains(text) {
        return Some(ChatSummary {
            found: Some(summary.title.clone()),
            ..summary
        });
    }
    let mut snippets = items.filter_map(|item| snippet(&item.searched(), text));
    snippets.next().map(|snippet| ChatSummary {
        found: Some(snippet),
        ..summary
    })
}

/// The text around the first place where `wanted` (in lower case) is.
pub(super) fn snippet(text: &str, wanted: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let at = lower.find(wanted)?;
    // Lower case may have another length, so characters are counted.
    let at = lower[..at].chars().count();
    let length = wanted.chars().count();
    let start = at.saturating_sub(AROUND);
    let shown: String = text
        .chars()
        .skip(start)
        .take(at - start + length + AROUND)
        .collect();
    Some(shown.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Runs work on files of conversations to its end, on a thread of its own.
pub(super) async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CommandError> + Send + 'static,
) -> Result<T, CommandError> {
    blocking("The files of the conversations could not be accessed.", work).await?
}
