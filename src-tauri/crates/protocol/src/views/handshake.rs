//! The handshakes of both eras: the results of `initialize` and `server/discover`, and what the client sends.

use std::borrow::Cow;

use super::caching::{CacheHint, read_cache_hint};
use super::content::read_result_type;
use super::reader::{Reader, escape};
use crate::json::{self, Kind, Object};
use crate::{Era, Revision, Rule, Violation, meta};

/// The identity of a peer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Implementation<'a> {
    /// Its name; empty if missing.
    pub name: Cow<'a, str>,
    /// Its version; empty if missing.
    pub version: Cow<'a, str>,
    /// Its display name.
    pub title: Option<Cow<'a, str>>,
    /// Its description.
    pub description: Option<Cow<'a, str>>,
    /// Its website.
    pub website_url: Option<Cow<'a, str>>,
    /// `icons`, raw.
    pub icons: Option<&'a str>,
    /// The whole object, raw.
    pub raw: &'a str,
}

impl<'a> Implementation<'a> {
    fn read(raw: &'a str, pointer: String, violations: &mut Vec<Violation>) -> Self {
        let mut reader = Reader::at(raw, pointer);
        reader.require("name");
        reader.require("version");
        let read = Self {
            name: reader.string("name").unwrap_or_default(),
            version: reader.string("version").unwrap_or_default(),
            title: reader.string("title"),
            description: reader.string("description"),
            website_url: reader.string("websiteUrl"),
            icons: reader.raw("icons"),
            raw,
        };
        violations.append(&mut reader.violations);
        read
    }
}

/// The declared capabilities of a server.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ServerCapabilities<'a> {
    /// The whole object, raw; `{}` if missing.
    pub raw: Cow<'a, str>,
}

impl<'a> ServerCapabilities<'a> {
    /// Parses the text of the object.
    #[must_use]
    pub fn new(raw: &'a str) -> Self {
        Self {
            raw: Cow::Borrowed(raw),
        }
    }

    /// Whether a capability such as `tools` is declared (as an object; `null` and `false` are not).
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        Object::parse(&self.raw).is_ok_and(|all| declares(&all, name))
    }

    /// Whether a part of a capability is `true`, such as `listChanged` of `tools` or `subscribe` of `resources`.
    #[must_use]
    pub fn has_part(&self, name: &str, part: &str) -> bool {
        Object::parse(&self.raw).is_ok_and(|all| declares_part(&all, name, part))
    }
}

/// Whether capabilities have one: as an object, since `null` and `false` are not.
pub(crate) fn declares(all: &Object<'_>, name: &str) -> bool {
    all.get(name)
        .is_some_and(|value| json::kind(value) == Kind::Object)
}

/// Whether capabilities have a part of one: `true`, or an object.
pub(crate) fn declares_part(all: &Object<'_>, name: &str, part: &str) -> bool {
    all.get(name)
        .and_then(|value| json::member(value, part))
        .is_some_and(|part| json::boolean(part).unwrap_or_else(|| json::kind(part) == Kind::Object))
}

/// The result of `initialize`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InitializeResult<'a> {
    /// The version in the server's response; empty if missing. It may be unknown.
    pub protocol_version: Cow<'a, str>,
    /// The server's capabilities.
    pub capabilities: ServerCapabilities<'a>,
    /// The server's identity.
    pub server_info: Option<Implementation<'a>>,
    /// Instructions for using it.
    pub instructions: Option<Cow<'a, str>>,
    /// Its violations. Pointers are into the result.
    pub violations: Vec<Violation>,
}

impl<'a> InitializeResult<'a> {
    /// Parses a result.
    #[must_use]
    pub fn parse(result: &'a str) -> Self {
        let mut reader = Reader::new(result);
        for name in ["protocolVersion", "capabilities", "serverInfo"] {
            require(&mut reader, name);
        }
        let protocol_version = reader.string("protocolVersion").unwrap_or_default();
        let capabilities = read_capabilities(&mut reader);
        let instructions = reader.string("instructions");
        let mut violations = std::mem::take(&mut reader.violations);
        let server_info = reader
            .raw("serverInfo")
            .map(|raw| Implementation::read(raw, "/serverInfo".to_owned(), &mut violations));
        Self {
            protocol_version,
            capabilities,
            server_info,
            instructions,
            violations,
        }
    }
}

/// The result of `server/discover`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DiscoverResult<'a> {
    /// The revisions the server speaks.
    pub supported_versions: Vec<Cow<'a, str>>,
    /// The server's capabilities.
    pub capabilities: ServerCapabilities<'a>,
    /// The server's identity (`_meta["io.modelcontextprotocol/serverInfo"]`).
    pub server_info: Option<Implementation<'a>>,
    /// Instructions for using it.
    pub instructions: Option<Cow<'a, str>>,
    /// How long it may be cached, and by whom.
    pub cache: CacheHint,
    /// Its violations. Pointers are into the result.
    pub violations: Vec<Violation>,
}

impl<'a> DiscoverResult<'a> {
    /// Parses a result.
    #[must_use]
    pub fn parse(result: &'a str) -> Self {
        let mut reader = Reader::new(result);
        for name in ["supportedVersions", "capabilities"] {
            require(&mut reader, name);
        }
        let mut supported_versions = Vec::new();
        for (index, element) in reader
            .array("supportedVersions")
            .unwrap_or_default()
            .into_iter()
            .enumerate()
        {
            match json::string(element) {
                Some(version) => supported_versions.push(version),
                None => {
                    let message = format!("a version is {} instead of a string", json::kind(element).name());
                    let pointer = format!("/supportedVersions/{index}");
                    reader
                        .violations
                        .push(Violation::at(Rule::HandshakeMember, pointer, message));
                }
            }
        }
        let capabilities = read_capabilities(&mut reader);
        let instructions = reader.string("instructions");
        let cache = read_cache_hint(&mut reader);
        let meta_text = reader.object("_meta");
        let result_kind = reader.raw("resultType");
        let mut violations = std::mem::take(&mut reader.violations);
        violations.extend(read_result_type(result_kind).1);
        let server_info = meta_text
            .and_then(|text| Object::parse(text).ok())
            .and_then(|object| {
                let raw = object.get(meta::SERVER_INFO)?;
                Some(Implementation::read(
                    raw,
                    format!("/_meta/{}", escape(meta::SERVER_INFO)),
                    &mut violations,
                ))
            });
        Self {
            supported_versions,
            capabilities,
            server_info,
            instructions,
            cache,
            violations,
        }
    }
}

fn require(reader: &mut Reader<'_>, name: &str) {
    if reader.is_object() && reader.raw(name).is_none() {
        reader.push(Rule::HandshakeMember, name, format!("`{name}` is missing"));
    }
}

fn read_capabilities<'a>(reader: &mut Reader<'a>) -> ServerCapabilities<'a> {
    ServerCapabilities::new(reader.object("capabilities").unwrap_or("{}"))
}

/// The client's capabilities. Only what is really supported may be declared.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClientCapabilities {
    members: Vec<(String, String)>,
}

impl ClientCapabilities {
    /// No capabilities.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Reads the text of the object; nothing is declared if it is not one.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let object = Object::parse(text).ok();
        let members = object.iter().flat_map(Object::iter);
        members.fold(Self::none(), |all, (name, value)| all.with(name.as_ref(), value))
    }

    /// Declares a capability: its name and the JSON text of its value.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.members.retain(|(known, _)| known != name);
        self.members.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Whether a capability is declared.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(known, _)| known == name)
    }

    /// The JSON text of a capability's value.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        let found = self.members.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The capabilities that a revision defines, and the extensions. A revision that is not known gets all of them.
    #[must_use]
    pub fn in_revision(&self, revision: Option<Revision>) -> Self {
        let Some(revision) = revision else {
            return self.clone();
        };
        let has_parts = revision >= Revision::V2025_11_25;
        let members = self.members.iter().filter_map(|(name, value)| {
            let exists = match name.as_str() {
                // Before 2025-11-25 `elicitation` means forms.
                "elicitation" if !has_parts => {
                    revision >= Revision::V2025_06_18 && (value == "{}" || part(value, "form"))
                }
                "tasks" => revision == Revision::V2025_11_25,
                _ => true,
            };
            let is_plain = match name.as_str() {
                "elicitation" | "sampling" => !has_parts,
                // The modern era has no `notifications/roots/list_changed`.
                "roots" => revision.era() == Era::Modern,
                _ => false,
            };
            let value = if is_plain { "{}" } else { value };
            exists.then(|| (name.clone(), value.to_owned()))
        });
        Self {
            members: members.collect(),
        }
    }

    /// Whether a part of a capability is declared, at any depth: `["requests", "sampling", "createMessage"]` of `tasks`.
    #[must_use]
    pub fn has_part(&self, name: &str, path: &[&str]) -> bool {
        let mut value = self.value(name);
        for step in path {
            value = value
                .and_then(|value| Object::parse(value).ok())
                .and_then(|object| object.get(step));
        }
        value.is_some_and(|value| json::kind(value) == Kind::Object)
    }

    /// The JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        object_json(
            self.members
                .iter()
                .map(|(name, value)| (name.as_str(), value.clone())),
        )
    }
}

/// The JSON text of an `Implementation`.
#[must_use]
pub fn implementation_json(name: &str, version: &str, title: Option<&str>) -> String {
    let members = [("name", Some(name)), ("version", Some(version)), ("title", title)];
    object_json(
        members
            .into_iter()
            .filter_map(|(name, value)| Some((name, json::quote(value?)))),
    )
}

/// Whether an object has a member.
fn part(object: &str, name: &str) -> bool {
    Object::parse(object).is_ok_and(|object| object.get(name).is_some())
}

/// The `params` of `initialize`. `revision` may be any text; `client_info` is the JSON text of an `Implementation`.
#[must_use]
pub fn initialize_params(revision: &str, capabilities: &ClientCapabilities, client_info: &str) -> String {
    object_json([
        ("protocolVersion", json::quote(revision)),
        ("capabilities", capabilities.to_json()),
        ("clientInfo", client_info.to_owned()),
    ])
}

fn object_json<'a>(members: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let mut out = String::from("{");
    for (name, value) in members {
        if out.len() > 1 {
            out.push(',');
        }
        json::push_quoted(name, &mut out);
        out.push(':');
        out.push_str(&value);
    }
    out.push('}');
    out
}

#[cfg(test)]
mod tests;
