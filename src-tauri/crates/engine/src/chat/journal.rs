//! The file of a conversation: lines are added, never changed, so that a crash loses at most the line that was being
//! written. What that line announced had not happened yet.

use std::{
    collections::HashMap,
    fs::File,
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use patchbay_config::{FileError, make_parent};
use patchbay_contract::{ChatCallState, ChatNoticeKind, ChatSettings};
use serde::Deserialize;

use super::item::{Item, Line, Notice, VERSION, has_ended};

/// The maximum size of a file, in bytes.
pub(super) const LARGEST: u64 = 256 << 20;

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) id: String,
    pub(super) created_at_ms: f64,
    pub(super) title: String,
    pub(super) settings: ChatSettings,
    pub(super) items: Vec<Item>,
    /// Why nothing may be added, in a sentence.
    pub(super) read_only: Option<String>,
    /// The size of its complete lines, in bytes: what comes after was cut off by a crash.
    pub(super) complete: u64,
    /// Whether a turn was running when Patchbay ended.
    pub(super) interrupted: bool,
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
pub(super) fn read(path: &Path) -> Result<Kept, FileError> {
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

fn parse(text: &str, bytes: &[u8]) -> Kept {
    let mut kept = Kept::default();
    let complete = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    kept.complete = complete as u64;
    let mut places: HashMap<String, usize> = HashMap::new();
    let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    for (at, line) in lines.enumerate() {
        if at == 0 {
            // A newer version may have lines that are not known here.
            if let Ok(Head { version }) = serde_json::from_str(line)
                && version > VERSION
            {
                kept.read_only = Some(format!(
                    "A newer Patchbay wrote this conversation (format {version}; this one writes {VERSION}). It can be read, as far as it is understood, but not continued. Update Patchbay to continue it."
                ));
            }
        }
        match serde_json::from_str(line) {
            Ok(line) => take(line, &mut kept, &mut places),
            Err(error) if kept.read_only.is_none() => {
                kept.read_only = Some(format!(
                    "Line {} of its file cannot be read ({error}), so it is not continued. Fork it to go on with what can be read.",
                    at + 1
                ));
            }
            Err(_) => {}
        }
    }
    if kept.read_only.is_none() && kept.id.is_empty() {
        kept.read_only = Some("Its file has no beginning, so it is not continued.".to_owned());
    }
    interrupt(&mut kept);
    kept
}

fn take(line: Line, kept: &mut Kept, places: &mut HashMap<String, usize>) {
    let item = match line {
        Line::Conversation {
            id, created_at_ms, ..
        } => {
            (kept.id, kept.created_at_ms) = (id, created_at_ms);
            return;
        }
        Line::Title { title } => {
            kept.title = title;
            return;
        }
        Line::Settings { settings } => {
            kept.settings = settings;
            return;
        }
        Line::User(user) => Item::User(user),
        Line::Answer(answer) => Item::Answer(answer),
        Line::Call(call) => Item::Call(call),
        Line::Notice(notice) => Item::Notice(notice),
    };
    match places.get(item.id()) {
        Some(at) => kept.items[*at] = item,
        None => {
            places.insert(item.id().to_owned(), kept.items.len());
            kept.items.push(item);
        }
    }
}

/// Ends what was in progress when Patchbay ended. Nothing is sent again.
fn interrupt(kept: &mut Kept) {
    for item in &mut kept.items {
        let Item::Call(call) = item else { continue };
        if has_ended(call.state) {
            continue;
        }
        kept.interrupted = true;
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
    }
    // A message without an answer.
    kept.interrupted |= matches!(kept.items.last(), Some(Item::User(_)));
    if kept.interrupted {
        let at_ms = kept.items.last().map_or(0.0, Item::at_ms);
        kept.items.push(Item::Notice(Notice {
            id: next_id(&kept.items),
            at_ms,
            kind: ChatNoticeKind::Interrupted,
            cause: "Patchbay ended in the middle of this turn. No call was repeated.".to_owned(),
            next: "Go on to ask the model again with what is here.".to_owned(),
            seq: None,
        }));
    }
}

/// The id of the next item.
pub(super) fn next_id(items: &[Item]) -> String {
    // Items are never removed.
    (items.len() + 1).to_string()
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
        let mut file = match self.file.take() {
            Some(file) => file,
            None => open(&self.path)?,
        };
        let written = file
            .seek(SeekFrom::Start(self.complete))
            .and_then(|_| file.write_all(lines.as_bytes()))
            .and_then(|()| file.set_len(self.complete + lines.len() as u64))
            .and_then(|()| sync(&file));
        written.map_err(failed)?;
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

/// Opens a file for writing; readable by its owner only.
fn open(path: &Path) -> Result<File, FileError> {
    make_parent(path)?;
    let mut options = File::options();
    options.create(true).write(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|source| FileError {
        step: "Opening the conversation",
        path: path.to_owned(),
        source,
    })
}
