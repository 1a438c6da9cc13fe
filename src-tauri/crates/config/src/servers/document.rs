//! Parses and writes the text of `servers.json`.

mod pairs;

use patchbay_contract::{CommandError, ErrorCode, ServerDraft, ServerId, SimulatorSettings, TransportDraft};
use serde_json::value::{RawValue, to_raw_value};

use super::{Server, unique_name};
use crate::{
    entry::{self, Content, For, Members},
    group_names::listed,
    secrets,
};
use pairs::Pairs;

const LIST: &str = "mcpServers";
const GROUPS: &str = "serverGroups";

/// The content of the file, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Document {
    /// Members of the file besides the list.
    top: Members,
    entries: Vec<Entry>,
    /// The names of groups, in the user's order. Those that only a server names follow. None if they were not understood, and
    /// stay in the file as they are.
    groups: Option<Vec<String>>,
    /// The programs of an earlier version, which keep the whole environment that they got from it.
    inheriting: Vec<String>,
}

#[derive(Debug, Clone)]
struct Entry {
    name: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "few, and nearly all of them the large one"
)]
enum Kind {
    /// A usable server, and its entry as it was read: its text, and what that was read as.
    Known {
        server: Server,
        members: Members,
        read: Box<Server>,
    },
    /// Anything else; preserved as is.
    Other(Box<RawValue>),
}

impl Document {
    /// Parses the file's text. The error says why the file is unreadable; the returned messages describe unreadable
    /// entries.
    pub(super) fn parse(text: &str) -> Result<(Self, Vec<String>), String> {
        let mut notices = Vec::new();
        // Editors on Windows begin a file with a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        if text.trim().is_empty() {
            return Ok((Self::default(), notices));
        }
        let mut top: Members = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let list = match top.get(LIST) {
            Some(raw) => serde_json::from_str::<Pairs>(raw.get())
                .map_err(|_| format!("its `{LIST}` is not an object"))?,
            None => Pairs::default(),
        };
        let groups = groups(&top, &mut notices);
        // Stays in the map to keep its position; its content is written again each time.
        top.insert(LIST.to_owned(), RawValue::NULL.to_owned());
        let mut document = Self {
            top,
            entries: Vec::new(),
            groups,
            inheriting: Vec::new(),
        };
        for (name, raw) in distinct(list, &mut notices).0 {
            let kind = document.kind(&name, raw, &mut notices);
            document.entries.push(Entry { name, kind });
        }
        Ok((document, notices))
    }

    fn kind(&mut self, name: &str, raw: Box<RawValue>, notices: &mut Vec<String>) -> Kind {
        let read = serde_json::from_str::<Members>(raw.get())
            .map_err(|_| "it is not an object".to_owned())
            .and_then(|members| entry::read(name, &members).map(|read| (read, members)));
        match read {
            Ok((read, members)) => {
                notices.extend(
                    read.notes
                        .iter()
                        .map(|note| format!("\"{name}\" in servers.json: {note}.")),
                );
                let id = read
                    .id
                    .filter(|id| self.servers().all(|server| server.id.0 != *id));
                let has_id = id.is_some();
                let mut server = Server {
                    id: ServerId(id.unwrap_or_default()),
                    draft: read.draft,
                    is_demo: read.demo,
                    simulator: read.simulator,
                };
                let read = Box::new(server.clone());
                let is_program = matches!(server.draft.transport, TransportDraft::Stdio { .. });
                // An entry of an earlier version has an id, one written by hand has none.
                if is_program && has_id && !read.is_demo && !members.contains_key(entry::INHERIT) {
                    server.draft.inherit_environment = Some(true);
                    self.inheriting.push(name.to_owned());
                }
                Kind::Known {
                    server,
                    members,
                    read,
                }
            }
            Err(why) => {
                notices.push(format!(
                    "\"{name}\" in servers.json is not shown: {why}. It was left as it is."
                ));
                Kind::Other(raw)
            }
        }
    }

    /// The names of all groups, in the user's order.
    pub(super) fn groups(&self) -> Vec<String> {
        let mut all = self.groups.clone().unwrap_or_default();
        for name in self.servers().flat_map(|server| &server.draft.groups) {
            if !all.contains(name) {
                all.push(name.clone());
            }
        }
        all
    }

    pub(super) fn set_groups(&mut self, groups: Vec<String>) {
        self.groups = Some(groups);
    }

    pub(super) fn servers_mut(&mut self) -> impl Iterator<Item = &mut Server> {
        self.entries.iter_mut().filter_map(|entry| match &mut entry.kind {
            Kind::Known { server, .. } => Some(server),
            Kind::Other(_) => None,
        })
    }

    pub(super) fn get_mut(&mut self, id: &ServerId) -> Option<&mut Server> {
        self.servers_mut().find(|server| server.id == *id)
    }

    pub(super) fn servers(&self) -> impl Iterator<Item = &Server> {
        self.entries.iter().filter_map(|entry| match &entry.kind {
            Kind::Known { server, .. } => Some(server),
            Kind::Other(_) => None,
        })
    }

    fn known(&mut self, id: &ServerId) -> Option<(&mut String, &mut Server)> {
        self.entries.iter_mut().find_map(|entry| match &mut entry.kind {
            Kind::Known { server, .. } if server.id == *id => Some((&mut entry.name, server)),
            _ => None,
        })
    }

    /// The message about programs that keep the whole environment, once: what is written then says so. None if there are none.
    pub(super) fn keep_inheriting(&mut self) -> Option<String> {
        let names = std::mem::take(&mut self.inheriting);
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let (subject, their) = match quoted.len() {
            0 => return None,
            1 => ("still gets", "its"),
            _ => ("still get", "their"),
        };
        Some(format!(
            "New programs get a short list of variables, without secrets but the password in a proxy's address. {} {subject} \
             all of Patchbay's environment, with any keys and tokens in it; turn that off in {their} settings.",
            quoted.join(", ")
        ))
    }

    /// Gives an id to every server without one (written by hand); returns whether there was any.
    pub(super) fn assign_ids(&mut self) -> bool {
        let mut gave = false;
        for entry in &mut self.entries {
            if let Kind::Known { server, .. } = &mut entry.kind
                && server.id.0.is_empty()
            {
                server.id = new_id();
                gave = true;
            }
        }
        gave
    }

    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.name == name)
    }

    /// Fails if another entry than `own` has this name.
    pub(super) fn reject_duplicate_name(
        &self,
        name: &str,
        own: Option<&ServerId>,
    ) -> Result<(), CommandError> {
        let mine = own.and_then(|id| self.servers().find(|server| server.id == *id));
        if mine.is_some_and(|server| server.draft.name == name) || !self.is_taken(name) {
            return Ok(());
        }
        Err(CommandError::new(
            ErrorCode::InvalidParams,
            format!("There is a server named \"{name}\" already. Choose another name."),
        ))
    }

    pub(super) fn push(&mut self, id: ServerId, draft: ServerDraft, is_demo: bool) -> ServerId {
        let server = Server {
            id: id.clone(),
            draft,
            is_demo,
            simulator: SimulatorSettings::default(),
        };
        self.entries.push(Entry {
            name: server.draft.name.clone(),
            kind: Kind::Known {
                read: Box::new(server.clone()),
                server,
                members: Members::new(),
            },
        });
        id
    }

    pub(super) fn replace(&mut self, id: &ServerId, draft: ServerDraft) {
        if let Some((name, server)) = self.known(id) {
            name.clone_from(&draft.name);
            server.draft = draft;
        }
    }

    /// Whether there is such a server.
    pub(super) fn set_simulator(&mut self, id: &ServerId, settings: SimulatorSettings) -> bool {
        let known = self.known(id);
        known.map(|(_, server)| server.simulator = settings).is_some()
    }

    pub(super) fn remove(&mut self, id: &ServerId) -> bool {
        let before = self.entries.len();
        self.entries
            .retain(|entry| !matches!(&entry.kind, Kind::Known { server, .. } if server.id == *id));
        self.entries.len() != before
    }

    /// Puts the known servers into this order. Unknown entries keep their position.
    pub(super) fn reorder(&mut self, ids: &[ServerId]) {
        let rank = |entry: &Entry| match &entry.kind {
            Kind::Known { server, .. } => ids.iter().position(|id| *id == server.id),
            Kind::Other(_) => None,
        };
        let places: Vec<usize> = (0..self.entries.len())
            .filter(|&at| rank(&self.entries[at]).is_some())
            .collect();
        let mut moved: Vec<Entry> = places.iter().map(|&at| self.entries[at].clone()).collect();
        moved.sort_by_key(rank);
        for (at, entry) in places.into_iter().zip(moved) {
            self.entries[at] = entry;
        }
    }

    /// One server for other hosts. Secrets become placeholders, because it leaves this machine.
    pub(super) fn export(&self, id: &ServerId) -> Option<serde_json::Result<String>> {
        self.entries.iter().find_map(|entry| match &entry.kind {
            Kind::Known { server, members, .. } if server.id == *id => {
                let mut members = entry::for_others(members);
                let draft = secrets::without(&server.draft);
                Some(
                    entry::write(&mut members, For::Others, server.is_demo, &draft).and_then(|()| {
                        indented(&Members::from_iter([(
                            entry.name.clone(),
                            to_raw_value(&members)?,
                        )]))
                    }),
                )
            }
            _ => None,
        })
    }

    /// The text of the file.
    pub(super) fn to_text(&self) -> serde_json::Result<String> {
        let mut list = Members::new();
        for entry in &self.entries {
            let raw = match &entry.kind {
                Kind::Known {
                    server,
                    members,
                    read,
                } => {
                    let (before, now) = (content(read), content(server));
                    to_raw_value(&entry::write_changed(members, &server.id.0, before, now)?)?
                }
                Kind::Other(raw) => raw.clone(),
            };
            list.insert(entry.name.clone(), raw);
        }
        let mut top = self.top.clone();
        top.insert(LIST.to_owned(), to_raw_value(&list)?);
        match self.groups() {
            _ if self.groups.is_none() && top.contains_key(GROUPS) => {}
            all if all.is_empty() => drop(top.shift_remove(GROUPS)),
            all => drop(top.insert(GROUPS.to_owned(), to_raw_value(&all)?)),
        }
        let mut text = String::new();
        patchbay_protocol::json::pretty(&serde_json::to_string(&top)?, &mut text);
        text.push('\n');
        Ok(text)
    }
}

/// The entries under names of which each is there once. Of two with one name, JSON means the last, and the first would be lost
/// when the file is written.
fn distinct(list: Pairs, notices: &mut Vec<String>) -> Pairs {
    let mut names: Vec<String> = list.0.iter().map(|(name, _)| name.clone()).collect();
    for at in 0..names.len() {
        let name = names[at].clone();
        if !names[..at].contains(&name) {
            continue;
        }
        names[at] = unique_name(&name, |wanted| names.iter().any(|known| known == wanted));
        notices.push(format!(
            "servers.json has more than one server named \"{name}\". One of them is shown as \"{}\"; rename or remove it.",
            names[at]
        ));
    }
    Pairs(
        names
            .into_iter()
            .zip(list.0)
            .map(|(name, (_, raw))| (name, raw))
            .collect(),
    )
}

fn content(server: &Server) -> Content<'_> {
    Content {
        draft: &server.draft,
        simulator: &server.simulator,
        demo: server.is_demo,
    }
}

/// The names of groups that the file lists; none if they are not understood, or one is a name that no group can have.
fn groups(top: &Members, notices: &mut Vec<String>) -> Option<Vec<String>> {
    let raw = top.get(GROUPS)?;
    let read =
        serde_json::from_str::<Vec<String>>(raw.get()).map_err(|_| "it is not a list of names".to_owned());
    let read = read.and_then(listed);
    if let Err(why) = &read {
        notices.push(format!(
            "`{GROUPS}` in servers.json is not used: {}. The groups that servers name are shown.",
            why.trim_end_matches('.')
        ));
    }
    read.ok()
}

fn indented(list: &Members) -> serde_json::Result<String> {
    let top = Members::from_iter([(LIST.to_owned(), to_raw_value(list)?)]);
    let mut text = String::new();
    patchbay_protocol::json::pretty(&serde_json::to_string(&top)?, &mut text);
    Ok(text)
}

/// 64 random bits: unique among one user's servers. Derived from the standard library's hash seeds, which the system
/// provides.
pub fn new_id() -> ServerId {
    use std::hash::{BuildHasher as _, RandomState};
    ServerId(format!(
        "{:016x}",
        RandomState::new().hash_one(std::time::Instant::now())
    ))
}
