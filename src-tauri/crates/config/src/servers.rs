//! The configured servers: `servers.json`, in the `mcpServers` format with our fields.
//!
//! The file belongs to the user: its order is the display order, unknown fields and unusable entries are preserved, and a
//! change made with an editor is read before ours is written.

mod check;
mod document;
mod groups;
mod merge;

use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard},
};

use patchbay_contract::{CommandError, ErrorCode, ServerDraft, ServerId, SimulatorSettings, TransportDraft};

use crate::{
    files::{FileError, write_atomically},
    group_names::groups_of,
};
pub use check::checked;
use document::Document;
pub use document::new_id;

/// A configured server.
#[derive(Debug, Clone, PartialEq)]
pub struct Server {
    /// Its id, which does not change when it is renamed.
    pub id: ServerId,
    /// Its settings. Secrets in the vault are replaced by references.
    pub draft: ServerDraft,
    /// Whether it is the built-in demo server.
    pub is_demo: bool,
    /// What is answered automatically to its requests. Beside the draft, so that pasted settings never switch it on.
    pub simulator: SimulatorSettings,
}

/// The list of configured servers.
#[derive(Debug)]
pub struct Servers {
    file: PathBuf,
    /// If false, changes stay in memory and nothing is written.
    writable: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    document: Document,
    /// The file's text as last read or written.
    known: Option<String>,
    notices: Vec<String>,
}

impl State {
    /// Adds the messages that were not given before: a file may be read more than once.
    fn tell(&mut self, notices: impl IntoIterator<Item = String>) {
        for notice in notices {
            if !self.notices.contains(&notice) {
                self.notices.push(notice);
            }
        }
    }
}

/// The name that the demo server is added with.
const DEMO_NAME: &str = "Demo server";

impl Servers {
    /// Reads the file, if there is one. Never fails because of its content: an unreadable file is set aside (if `writable`)
    /// with a notice.
    pub fn open(file: PathBuf, writable: bool) -> Result<Self, FileError> {
        let servers = Self {
            file,
            writable,
            state: Mutex::default(),
        };
        let mut state = servers.lock();
        servers.read(&mut state)?;
        let inheriting = state.document.keep_inheriting();
        if state.document.assign_ids() | inheriting.is_some() {
            servers.write(&mut state)?;
        }
        state.tell(inheriting.filter(|_| writable));
        drop(state);
        Ok(servers)
    }

    /// Messages for the user since the start.
    pub fn notices(&self) -> Vec<String> {
        self.lock().notices.clone()
    }

    /// All servers, in the user's order.
    pub fn all(&self) -> Vec<Server> {
        self.lock().document.servers().cloned().collect()
    }

    /// The names of all servers, in the user's order.
    pub fn names(&self) -> Vec<String> {
        let state = self.lock();
        state
            .document
            .servers()
            .map(|server| server.draft.name.clone())
            .collect()
    }

    /// One server.
    pub fn get(&self, id: &ServerId) -> Result<Server, CommandError> {
        self.lock()
            .document
            .servers()
            .find(|server| server.id == *id)
            .cloned()
            .ok_or_else(|| unknown(id))
    }

    /// Adds a server at the end, under a new id.
    pub fn add(&self, id: ServerId, draft: ServerDraft) -> Result<ServerId, CommandError> {
        let mut draft = checked(draft)?;
        self.change(|document| {
            document.reject_duplicate_name(&draft.name, None)?;
            groups::adopt(document, &mut draft.groups)?;
            Ok(document.push(id, draft, false))
        })
    }

    /// Adds the demo server, or returns the existing one.
    pub fn add_demo(&self) -> Result<ServerId, CommandError> {
        self.change(|document| {
            if let Some(server) = document.servers().find(|server| server.is_demo) {
                return Ok(server.id.clone());
            }
            let name = unique_name(DEMO_NAME, |name| document.is_taken(name));
            let transport = TransportDraft::Stdio {
                command: "patchbay".to_owned(),
                args: vec!["demo-server".to_owned()],
                env: Vec::new(),
                cwd: None,
            };
            let draft = ServerDraft::new(name, transport);
            Ok(document.push(new_id(), draft, true))
        })
    }

    /// Replaces the settings of a server.
    pub fn update(&self, id: &ServerId, draft: ServerDraft) -> Result<(), CommandError> {
        self.edit(id, |now| *now = draft)
    }

    /// Changes those settings of a server that differ between `base` and `draft`; the others stay as they are now, in the file.
    /// Returns all.
    pub fn merge(
        &self,
        id: &ServerId,
        base: &ServerDraft,
        draft: &ServerDraft,
    ) -> Result<ServerDraft, CommandError> {
        self.try_edit(id, |now| {
            *now = merge::merged(now, base, draft).map_err(not_written)?;
            Ok(now.clone())
        })
    }

    /// Changes the settings of a server as they are now. If they cannot be stored, nothing changes.
    pub fn edit<T>(
        &self,
        id: &ServerId,
        edit: impl FnOnce(&mut ServerDraft) -> T,
    ) -> Result<T, CommandError> {
        self.try_edit(id, |draft| Ok(edit(draft)))
    }

    fn try_edit<T>(
        &self,
        id: &ServerId,
        edit: impl FnOnce(&mut ServerDraft) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        self.change(|document| {
            let server = document.get_mut(id).ok_or_else(|| unknown(id))?.clone();
            let mut draft = server.draft.clone();
            let answer = edit(&mut draft)?;
            if draft == server.draft {
                return Ok(answer);
            }
            let mut draft = checked(draft)?;
            document.reject_duplicate_name(&draft.name, Some(id))?;
            groups::adopt(document, &mut draft.groups)?;
            if server.is_demo {
                draft.transport = server.draft.transport;
            }
            document.replace(id, draft);
            Ok(answer)
        })
    }

    /// Removes a server.
    pub fn remove(&self, id: &ServerId) -> Result<(), CommandError> {
        self.change(|document| {
            if document.remove(id) {
                Ok(())
            } else {
                Err(unknown(id))
            }
        })
    }

    /// Disables servers, or enables them.
    pub fn set_disabled(&self, ids: &[ServerId], disabled: bool) -> Result<(), CommandError> {
        self.change(|document| {
            for id in ids {
                document.get_mut(id).ok_or_else(|| unknown(id))?.draft.disabled = disabled;
            }
            Ok(())
        })
    }

    /// The names of all groups, in the user's order.
    pub fn groups(&self) -> Vec<String> {
        self.lock().document.groups()
    }

    /// Sets the groups of a server.
    pub fn set_groups_of(&self, id: &ServerId, names: Vec<String>) -> Result<(), CommandError> {
        let mut names = groups_of(names).map_err(|why| CommandError::new(ErrorCode::InvalidParams, why))?;
        self.change(|document| {
            groups::adopt(document, &mut names)?;
            // A group stays when its last server leaves it.
            let all = document.groups();
            document.get_mut(id).ok_or_else(|| unknown(id))?.draft.groups = names;
            document.set_groups(all);
            Ok(())
        })
    }

    /// Adds a group, or renames the one that is named and sets its servers.
    pub fn save_group(
        &self,
        group: Option<&str>,
        name: &str,
        servers: &[ServerId],
    ) -> Result<(), CommandError> {
        self.change(|document| groups::save(document, group, name, servers))
    }

    /// Removes a group. Its servers stay.
    pub fn remove_group(&self, group: &str) -> Result<(), CommandError> {
        self.change(|document| groups::remove(document, group))
    }

    /// Sets the order of the groups. Each must be named exactly once.
    pub fn reorder_groups(&self, names: &[String]) -> Result<(), CommandError> {
        self.change(|document| groups::reorder(document, names))
    }

    /// Sets what is answered automatically to a server's requests.
    pub fn set_simulator(&self, id: &ServerId, settings: SimulatorSettings) -> Result<(), CommandError> {
        self.change(|document| match document.set_simulator(id, settings) {
            true => Ok(()),
            false => Err(unknown(id)),
        })
    }

    /// Sets the order of the servers. Each must be named exactly once.
    pub fn reorder(&self, ids: &[ServerId]) -> Result<(), CommandError> {
        self.change(|document| {
            let mut named: Vec<_> = ids.iter().collect();
            let mut present: Vec<_> = document.servers().map(|server| &server.id).collect();
            named.sort();
            present.sort();
            if named != present {
                return Err(CommandError::new(
                    ErrorCode::InvalidParams,
                    "The new order must name every configured server exactly once. List them again.",
                ));
            }
            document.reorder(ids);
            Ok(())
        })
    }

    /// One server as `mcpServers` JSON, indented, for other hosts (without our id).
    pub fn export(&self, id: &ServerId) -> Result<String, CommandError> {
        self.lock()
            .document
            .export(id)
            .ok_or_else(|| unknown(id))?
            .map_err(not_written)
    }

    /// Applies one change to the current content of the file and writes it. If writing fails, nothing changes.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut Document) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        let mut state = self.lock();
        if self.writable && self.is_changed(&state) {
            self.read(&mut state)?;
            state.document.assign_ids();
            let inheriting = state.document.keep_inheriting();
            if state.known.is_none() || inheriting.is_some() {
                // There is no file now, or it does not say what is told. A change that is refused would not write it.
                self.write(&mut state)?;
            }
            state.tell(inheriting);
        }
        let before = state.document.clone();
        let answer = match change(&mut state.document) {
            Ok(answer) => answer,
            Err(error) => {
                // It may have been half done.
                state.document = before;
                return Err(error);
            }
        };
        if let Err(error) = self.write(&mut state) {
            state.document = before;
            return Err(error.into());
        }
        Ok(answer)
    }

    /// Whether the file is another than was last read or written. One that cannot be read is: it must not be replaced.
    fn is_changed(&self, state: &State) -> bool {
        match std::fs::read(&self.file) {
            Ok(bytes) => state.known.as_ref().map(String::as_bytes) != Some(&bytes),
            Err(error) => state.known.is_some() || error.kind() != std::io::ErrorKind::NotFound,
        }
    }

    fn read(&self, state: &mut State) -> Result<(), FileError> {
        let text = match std::fs::read(&self.file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                // The file was deleted: the list in memory is used, and written before the next change.
                state.known = None;
                return Ok(());
            }
            Err(source) => {
                return Err(FileError {
                    step: "Reading",
                    path: self.file.clone(),
                    source,
                });
            }
        };
        let parsed = String::from_utf8(text)
            .map_err(|_| "it is not UTF-8".to_owned())
            .and_then(|text| Document::parse(&text).map(|document| (text, document)));
        match parsed {
            Ok((text, (document, notices))) => {
                state.document = document;
                state.tell(notices);
                state.known = Some(text);
            }
            Err(why) => {
                let list = match state.document.servers().next() {
                    Some(_) => "the list from before was written again",
                    None => "a new list was begun",
                };
                state.notices.push(self.set_aside(&why, list)?);
                state.known = None;
            }
        }
        Ok(())
    }

    fn set_aside(&self, why: &str, list: &str) -> Result<String, FileError> {
        let file = self.file.display();
        if !self.writable {
            return Ok(format!(
                "{file} was not understood ({why}); no configured server is known."
            ));
        }
        let free = (1_u32..)
            .map(|n| self.file.with_extension(format!("json.broken-{n}")))
            .find(|path| !path.exists())
            .unwrap_or_else(|| self.file.with_extension("json.broken"));
        std::fs::rename(&self.file, &free).map_err(|source| FileError {
            step: "Setting aside",
            path: self.file.clone(),
            source,
        })?;
        let kept = free.display();
        Ok(format!(
            "{file} was not understood ({why}). It was set aside as {kept}, and {list}."
        ))
    }

    fn write(&self, state: &mut State) -> Result<(), FileError> {
        if !self.writable {
            return Ok(());
        }
        let text = state.document.to_text().map_err(|error| FileError {
            step: "Writing",
            path: self.file.clone(),
            source: error.into(),
        })?;
        if state.known.as_deref() != Some(&text) {
            write_atomically(&self.file, &text)?;
            state.known = Some(text);
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic leaves the list consistent: every change is made on a copy or written last.
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// `wanted`, or `wanted 2`, `wanted 3` … if it is taken.
pub(crate) fn unique_name(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(wanted) {
        return wanted.to_owned();
    }
    let mut n = 2_u32;
    loop {
        let name = format!("{wanted} {n}");
        if !taken(&name) {
            return name;
        }
        n += 1;
    }
}

fn unknown(id: &ServerId) -> CommandError {
    CommandError::new(
        ErrorCode::NotFound,
        format!("There is no server with the id `{id}`. List the servers again."),
    )
}

fn not_written(error: serde_json::Error) -> CommandError {
    CommandError::with_detail(
        ErrorCode::Internal,
        "The server could not be written as JSON.",
        error,
    )
}

#[cfg(test)]
mod tests;
