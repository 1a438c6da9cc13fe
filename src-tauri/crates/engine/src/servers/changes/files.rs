//! The files of one server: one about itself, one for each of its lists, and beside it the list as it is now while that
//! differs. Readable by their owner only.

use std::{
    io::{ErrorKind, Read as _},
    path::{Path, PathBuf},
};

use patchbay_config::write_atomically;
use patchbay_contract::ListKind;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::compare::{Facts, Item};

/// The lists that are compared.
const COMPARED: [ListKind; 4] = [
    ListKind::Tools,
    ListKind::Resources,
    ListKind::ResourceTemplates,
    ListKind::Prompts,
];
/// The version of the format.
const VERSION: u32 = 1;
/// The maximum size of the definitions of one list, in bytes; of a longer one only identities and hashes are kept.
const MOST_TEXT: usize = 16 * 1024 * 1024;
/// The maximum size of a file, in bytes. A list that would be larger is not kept.
const LARGEST_FILE: usize = 64 * 1024 * 1024;

/// What is stored about a server itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ServerRecord {
    pub(super) version: u32,
    pub(super) server: String,
    /// When it was last connected as it is compared with, in ms since the Unix epoch.
    pub(super) since_ms: f64,
    /// When it was last connected.
    pub(super) last_ms: f64,
    /// Whether anything has differed since then.
    pub(super) differs: bool,
    pub(super) facts: Facts,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredList {
    version: u32,
    items: Vec<Item>,
}

/// The folder of one server.
#[derive(Debug)]
pub(super) struct Files(pub(super) PathBuf);

impl ServerRecord {
    /// Of a server that is connected for the first time.
    pub(super) fn first(server: &str, facts: Facts, now_ms: f64) -> Self {
        Self {
            version: VERSION,
            server: server.to_owned(),
            since_ms: now_ms,
            last_ms: now_ms,
            differs: false,
            facts,
        }
    }
}

impl Files {
    /// What is kept about the server; none if nothing is, or if it is not understood: then it counts as never connected.
    ///
    /// # Errors
    /// The file cannot be read (now).
    pub(super) fn about(&self, server: &str) -> Result<Option<ServerRecord>, String> {
        let about: Option<ServerRecord> = read(&self.0.join("server.json"))?;
        Ok(about.filter(|about| about.version == VERSION && about.server == server))
    }

    pub(super) fn write_about(&self, about: &ServerRecord) -> Result<(), String> {
        write(&self.0.join("server.json"), about)
    }

    /// A list as it is compared with; none if it never was listed, or is not understood.
    ///
    /// # Errors
    /// The file cannot be read (now).
    pub(super) fn list(&self, list: ListKind) -> Result<Option<Vec<Item>>, String> {
        items(&self.path(list))
    }

    /// The list as it is now, while it differs.
    ///
    /// # Errors
    /// The file cannot be read (now).
    pub(super) fn next(&self, list: ListKind) -> Result<Option<Vec<Item>>, String> {
        items(&self.next_path(list))
    }

    /// Keeps a list to compare with.
    pub(super) fn write_list(&self, list: ListKind, items: Vec<Item>) -> Result<(), String> {
        write_items(&self.path(list), items)
    }

    /// Keeps what a list is now; none once it does not differ.
    pub(super) fn write_next(&self, list: ListKind, items: Option<Vec<Item>>) -> Result<(), String> {
        let path = self.next_path(list);
        match items {
            Some(items) => write_items(&path, items),
            None => match std::fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(error.to_string()),
                _ => Ok(()),
            },
        }
    }

    /// Whether any list differs, also one that was last read on an earlier connection.
    pub(super) fn any_next(&self) -> bool {
        COMPARED.iter().any(|list| self.next_path(*list).exists())
    }

    /// From now on a list is compared with what it is now.
    pub(super) fn adopt(&self, list: ListKind) -> Result<(), String> {
        match std::fs::rename(self.next_path(list), self.path(list)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error.to_string()),
            _ => Ok(()),
        }
    }

    fn path(&self, list: ListKind) -> PathBuf {
        self.0.join(format!("{}.json", name(list)))
    }

    fn next_path(&self, list: ListKind) -> PathBuf {
        self.0.join(format!("{}.next.json", name(list)))
    }
}

fn name(list: ListKind) -> &'static str {
    match list {
        ListKind::Tools => "tools",
        ListKind::Resources => "resources",
        ListKind::ResourceTemplates => "templates",
        ListKind::Prompts => "prompts",
        ListKind::Skills => "skills",
        ListKind::Tasks => "tasks",
    }
}

fn items(path: &Path) -> Result<Option<Vec<Item>>, String> {
    let stored: Option<StoredList> = read(path)?;
    Ok(stored
        .filter(|list| list.version == VERSION)
        .map(|list| list.items))
}

fn write_items(path: &Path, mut items: Vec<Item>) -> Result<(), String> {
    let texts = items.iter().flat_map(|item| &item.texts).map(String::len);
    if texts.sum::<usize>() > MOST_TEXT {
        items.iter_mut().for_each(|item| item.texts.clear());
    }
    let version = VERSION;
    write(path, &StoredList { version, items })
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, String> {
    let failed = |error: std::io::Error| format!("reading {} failed: {error}", path.display());
    let file = match std::fs::File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(failed)?,
    };
    let mut text = Vec::new();
    file.take(LARGEST_FILE as u64)
        .read_to_end(&mut text)
        .map_err(failed)?;
    let read = serde_json::from_slice(&text);
    let read = read.inspect_err(|error| {
        tracing::warn!(%error, path = %path.display(), "what a server was is not known");
    });
    Ok(read.ok())
}

fn write(path: &Path, content: &impl Serialize) -> Result<(), String> {
    let text = serde_json::to_string(content).map_err(|error| error.to_string())?;
    if text.len() >= LARGEST_FILE {
        return Err(format!("it would take more than {LARGEST_FILE} bytes"));
    }
    write_atomically(path, &text).map_err(|error| error.to_string())
}
