//! The file of a conversation: lines are added, never changed, so that a crash loses at most the line that was being
//! written. What that line announced had not happened yet.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use patchbay_config::{FileError, write_atomically};
use patchbay_contract::{ChatCallState, ChatNoticeKind, ChatSettings};
use serde::Deserialize;

use super::{
    conversation::Branches,
    item::{Item, Line, Notice, VERSION, has_ended},
};

/// The maximum size of a file, in bytes.
pub(super) const LARGEST: u64 = 256 << 20;

/// A conversation as its file has it.
#[derive(Debug, Default)]
pub(super) struct StoredConversation {
    pub(super) id: String,
    pub(super) created_at_ms: f64,
    pub(super) title: String,
    pub(super) settings: ChatSettings,
    /// The items that are shown, in order.
    pub(super) items: Vec<Item>,
    /// Those of other branches, in the order of creation.
    pub(super) aside: Vec<Item>,
    pub(super) branches: Branches,
    /// Why nothing may be added, in a sentence.
    pub(super) read_only: Option<String>,
    /// The size of its complete lines, in bytes: what comes after was cut off by a crash.
    pub(super) complete: u64,
    /// What was in progress when Patchbay ended, as it is now. The file does not say so yet.
    pub(super) mended: Vec<Item>,
}

/// The version alone, of a file whose other lines may not be known.
#[derive(Deserialize)]
struct Head {
    version: u32,
}

/// Reads a file.
///
/// # Errors
/// It cannot be read. What cannot be understood makes the conversation read-only.
pub(super) fn read(path: &Path) -> Result<StoredConversation, FileError> {
    let failed = |source| FileError {
        step: "Reading the conversation",
        path: path.to_owned(),
        source,
    };
    let mut file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.len() > LARGEST {
        return Err(failed(std::io::Error::other("it has more than 256 MiB")));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    Ok(parse(&String::from_utf8_lossy(&bytes), &bytes))
}

fn parse(text: &str, bytes: &[u8]) -> StoredConversation {
    let mut stored = StoredConversation::default();
    let complete = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    stored.complete = complete as u64;
    let mut order = Order::default();
    let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    for (at, line) in lines.enumerate() {
        if at == 0 {
            // A newer version may have lines that are not known here.
            if let Ok(Head { version }) = serde_json::from_str(line)
                && version > VERSION
            {
                stored.read_only = Some(format!(
                    "A newer Patchbay wrote this conversation (format {version}; this one writes {VERSION}). It can be read, as far as it is understood, but not continued. Update Patchbay to continue it."
                ));
            }
        }
        let taken = serde_json::from_str(line).map_err(|error| error.to_string());
        match taken.and_then(|line| order.take(line, &mut stored)) {
            Err(error) if stored.read_only.is_none() => {
                stored.read_only = Some(format!(
                    "Line {} of its file cannot be read ({error}), so it is not continued. Fork it to go on with what can be read.",
                    at + 1
                ));
            }
            Ok(()) | Err(_) => {}
        }
    }
    if stored.read_only.is_none() && stored.id.is_empty() {
        stored.read_only = Some("Its file has no beginning, so it is not continued.".to_owned());
    }
    let (is_idle, asked) = (order.is_idle, order.asked.take());
    order.end(&mut stored);
    interrupt(&mut stored, is_idle, asked);
    stored
}

/// The items while a file is read: a later line replaces an item, or shows another branch.
#[derive(Default)]
struct Order {
    items: Vec<Item>,
    places: HashMap<String, usize>,
    head: Option<String>,
    /// Whether no turn was to answer it.
    is_idle: bool,
    /// The model that was asked, until an answer or a notice says so.
    asked: Option<String>,
}

impl Order {
    fn take(&mut self, line: Line, stored: &mut StoredConversation) -> Result<(), String> {
        let item = match line {
            Line::Conversation {
                id, created_at_ms, ..
            } => {
                (stored.id, stored.created_at_ms) = (id, created_at_ms);
                return Ok(());
            }
            Line::Title { title } => {
                stored.title = title;
                return Ok(());
            }
            Line::Settings { settings } => {
                stored.settings = settings;
                return Ok(());
            }
            Line::Head { item, idle } => {
                if let Some(unknown) = item.as_ref().filter(|id| !stored.branches.knows(id)) {
                    return Err(format!("there is no item {unknown}"));
                }
                (self.head, self.is_idle) = (item, idle);
                return Ok(());
            }
            Line::Asked { by } => {
                self.asked = Some(by);
                return Ok(());
            }
            Line::User(user) => Item::User(user),
            Line::Answer(answer) => Item::Answer(answer),
            Line::Call(call) => Item::Call(call),
            Line::Notice(notice) => Item::Notice(notice),
        };
        if item.asked().is_some() {
            self.asked = None;
        }
        if let Some(at) = self.places.get(item.id()) {
            self.items[*at] = item;
            return Ok(());
        }
        stored.branches.add(item.id(), self.head.as_deref());
        (self.head, self.is_idle) = (Some(item.id().to_owned()), false);
        self.places.insert(item.id().to_owned(), self.items.len());
        self.items.push(item);
        Ok(())
    }

    /// Divides the items into those that are shown and the others.
    fn end(self, stored: &mut StoredConversation) {
        let path = stored.branches.path(self.head.as_deref());
        stored.branches.show(&path);
        let shown: HashSet<&String> = path.iter().collect();
        let (items, aside) = self
            .items
            .into_iter()
            .partition(|item| shown.contains(&item.id().to_owned()));
        (stored.items, stored.aside) = (items, aside);
    }
}

/// Ends what was in progress when Patchbay ended. Nothing is sent again.
fn interrupt(stored: &mut StoredConversation, is_idle: bool, asked: Option<String>) {
    for item in stored.items.iter_mut().chain(&mut stored.aside) {
        let Item::Call(call) = item else { continue };
        if has_ended(call.state) {
            continue;
        }
        (call.state, call.error) = match call.state {
            ChatCallState::Running => (
                ChatCallState::Interrupted,
                Some("Patchbay ended while this call ran. It may have run, and was not repeated.".to_owned()),
            ),
            _ => (
                ChatCallState::NotRun,
                Some("Patchbay ended before this call was sent.".to_owned()),
            ),
        };
        stored.mended.push(item.clone());
    }
    // A turn ends with a notice, or with an answer that makes no calls.
    let is_unanswered = match stored.items.last() {
        Some(Item::User(_) | Item::Call(_)) => !is_idle,
        Some(Item::Answer(answer)) => answer.calls > 0 && !is_idle,
        Some(Item::Notice(_)) | None => false,
    };
    if stored.mended.is_empty() && !is_unanswered && asked.is_none() {
        return;
    }
    let notice = Item::Notice(Notice {
        id: next_id(stored.items.iter().chain(&stored.aside)).to_string(),
        at_ms: stored.items.last().map_or(0.0, Item::at_ms),
        kind: ChatNoticeKind::Interrupted,
        cause: "Patchbay ended in the middle of this turn. No call was repeated.".to_owned(),
        next: "Continue to ask the model again with what is here.".to_owned(),
        seq: None,
        asked,
    });
    stored
        .branches
        .add(notice.id(), stored.items.last().map(Item::id));
    stored.mended.push(notice.clone());
    stored.items.push(notice);
}

/// The id of the next item. Ids count up over all branches.
pub(super) fn next_id<'a>(items: impl Iterator<Item = &'a Item>) -> u64 {
    items.filter_map(|item| item.id().parse().ok()).max().unwrap_or(0) + 1
}

/// A file that is being written.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: Option<File>,
    /// The size of its complete lines.
    complete: u64,
}

impl Journal {
    /// Opens nothing yet.
    pub(super) fn new(path: PathBuf, complete: u64) -> Self {
        Self {
            path,
            file: None,
            complete,
        }
    }

    /// Adds lines and waits until they are on disk. A line that a crash cut off is overwritten.
    ///
    /// # Errors
    /// Nothing was added.
    pub(super) fn add(&mut self, lines: &str) -> Result<(), FileError> {
        self.add_synced(lines, File::sync_data)
    }

    /// `sync` brings the lines to the disk: it may fail after every write succeeded.
    pub(super) fn add_synced(
        &mut self,
        lines: &str,
        sync: impl Fn(&File) -> std::io::Result<()>,
    ) -> Result<(), FileError> {
        let failed = |source| FileError {
            step: "Writing the conversation",
            path: self.path.clone(),
            source,
        };
        if self.complete + lines.len() as u64 > LARGEST {
            let full = "it would have more than 256 MiB; fork the conversation, or begin a new one";
            return Err(failed(std::io::Error::other(full)));
        }
        if self.complete == 0 {
            // Whole or not at all: a file without its first line could be neither read nor continued.
            write_atomically(&self.path, lines).map_err(|error| failed(error.source))?;
            self.complete = lines.len() as u64;
            return Ok(());
        }
        let mut file = match self.file.take() {
            Some(file) => file,
            None => open(&self.path)?,
        };
        let written = file
            .seek(SeekFrom::Start(self.complete))
            .and_then(|_| file.write_all(lines.as_bytes()))
            .and_then(|()| file.set_len(self.complete + lines.len() as u64))
            .and_then(|()| sync(&file));
        if let Err(source) = written {
            // What may not be on the disk is not read at the next start either.
            let _ = file.set_len(self.complete);
            return Err(failed(source));
        }
        self.complete += lines.len() as u64;
        self.file = Some(file);
        Ok(())
    }

    /// Deletes the file.
    pub(super) fn remove(&mut self) -> Result<(), FileError> {
        self.file = None;
        match std::fs::remove_file(&self.path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(FileError {
                step: "Deleting the conversation",
                path: self.path.clone(),
                source,
            }),
            _ => Ok(()),
        }
    }
}

/// Opens a file that has its first lines. One that was deleted is not made again: what follows alone could not be read.
fn open(path: &Path) -> Result<File, FileError> {
    File::options()
        .write(true)
        .open(path)
        .map_err(|source| FileError {
            step: "Opening the conversation",
            path: path.to_owned(),
            source,
        })
}
