//! The servers in a document, and the options to install each.

use patchbay_contract::{HttpKind, RegistrySource};
use patchbay_protocol::views::with_hidden_marked;
use serde_json::Value;

use super::{
    form::{Element, Fields, Place, Template},
    package,
};
use crate::entry::is_http_url;

/// The maximum number of servers or versions that are taken from one document.
const MOST_SERVERS: usize = 200;
/// The maximum number of packages and addresses of one server.
const MOST_INSTALL_OPTIONS: usize = 50;

/// A server in a document.
#[derive(Debug)]
pub struct Listed {
    /// Its name in the registry, e.g. `io.github.ada/weather`.
    pub name: String,
    /// Its name for people, or the last part of its name.
    pub title: String,
    /// What it is.
    pub description: String,
    /// Its version.
    pub version: String,
    /// Pages about it: what each is, and its address.
    pub links: Vec<(&'static str, String)>,
    /// What the registry says of it if it should not be used: `deprecated` or `deleted`.
    pub status: Option<String>,
    /// How it can be run or reached.
    pub options: Vec<InstallOption>,
}

/// One option to install a server: a package to run, or an address to reach.
#[derive(Debug)]
pub struct InstallOption {
    /// What it is, e.g. `npm: @ada/weather 1.0.0`.
    pub label: String,
    /// What it becomes.
    pub kind: InstallKind,
    /// Why it cannot be added, with the next action.
    pub blocker: Option<String>,
    /// What the user should know, in words.
    pub notes: Vec<String>,
    /// What has to be installed; none for an address.
    pub program: Option<String>,
    pub(super) fields: Fields,
}

/// What an option becomes.
#[derive(Debug)]
pub enum InstallKind {
    /// A program.
    Program {
        /// Its name.
        command: String,
        /// Its arguments, in order.
        args: Vec<Element>,
        /// Its variables.
        env: Vec<Element>,
    },
    /// An address.
    Remote {
        /// The transport it says it speaks.
        kind: HttpKind,
        /// Its URL.
        url: Template,
        /// Its headers.
        headers: Vec<Element>,
    },
}

/// What a pasted text is of the registry, if anything: a document, or an address that looks like that of one.
#[must_use]
pub fn source(text: &str) -> Option<RegistrySource> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with('{') && is_registry(text) {
        return Some(RegistrySource::Text {
            text: text.to_owned(),
        });
    }
    let path = text.split(['?', '#']).next().unwrap_or_default();
    let is_named = path.ends_with(".json") || path.contains("/v0/servers") || path.contains("/v0.1/servers");
    let is_one = !text.contains(char::is_whitespace);
    (is_http_url(text) && is_one && is_named).then(|| RegistrySource::Url { url: text.to_owned() })
}

/// Whether a text is a document of the registry, rather than the configuration of a host.
pub(super) fn is_registry(text: &str) -> bool {
    let Ok(Value::Object(root)) = serde_json::from_str(text) else {
        return false;
    };
    let is_server = |value: &Value| {
        value["name"].is_string() && (value["packages"].is_array() || value["remotes"].is_array())
    };
    let is_one = |value: &Value| is_server(value) || is_server(&value["server"]);
    match root.get("servers") {
        Some(Value::Array(servers)) => servers.iter().any(is_one),
        _ => is_one(&Value::Object(root)),
    }
}

/// Reads a document. The error is a sentence.
///
/// # Errors
/// It is not JSON, or has no server.
pub fn read(text: &str) -> Result<Vec<Listed>, String> {
    let root: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| format!("It is not valid JSON: {error}."))?;
    let all = match root.get("servers").and_then(Value::as_array) {
        Some(servers) => servers.iter().take(MOST_SERVERS).collect(),
        None => vec![&root],
    };
    let found: Vec<Listed> = all.into_iter().filter_map(listed).collect();
    match found.is_empty() {
        true => {
            Err("It has no server: neither `name` with `packages` or `remotes`, nor `servers`.".to_owned())
        }
        false => Ok(found),
    }
}

fn listed(entry: &Value) -> Option<Listed> {
    let server = entry
        .get("server")
        .filter(|server| server.is_object())
        .unwrap_or(entry);
    let name = text(server, &["name"])?;
    let packages = list(server, "packages").map(package::install_option);
    let remotes = list(server, "remotes").map(remote);
    let options: Vec<InstallOption> = packages.chain(remotes).take(MOST_INSTALL_OPTIONS).collect();
    let mut links = Vec::new();
    let pages = [
        ("Home page", text(server, &["websiteUrl", "website_url"])),
        (
            "Source",
            server.get("repository").and_then(|source| text(source, &["url"])),
        ),
    ];
    for (label, url) in pages {
        links.extend(url.filter(|url| is_http_url(url)).map(|url| (label, url)));
    }
    let of_registry = &entry["_meta"]["io.modelcontextprotocol.registry/official"];
    let status = text(of_registry, &["status"]).or_else(|| text(server, &["status"]));
    let last = name.rsplit('/').next().unwrap_or_default().to_owned();
    Some(Listed {
        title: text(server, &["title"]).unwrap_or(last),
        description: text(server, &["description"]).unwrap_or_default(),
        version: text(server, &["version"])
            .or_else(|| text(&server["version_detail"], &["version"]))
            .unwrap_or_default(),
        links,
        status: status.filter(|status| status != "active"),
        options,
        name,
    })
}

/// An address of a server.
fn remote(remote: &Value) -> InstallOption {
    let mut fields = Fields::default();
    let address = text(remote, &["url"]).unwrap_or_default();
    let type_ = text(remote, &["type", "transport_type"]).unwrap_or_default();
    let kind = match type_.as_str() {
        "sse" => HttpKind::Sse,
        _ => HttpKind::StreamableHttp,
    };
    let url = fields.template(&address, remote.get("variables"), "");
    let headers = list(remote, "headers").filter_map(|header| fields.keyed(header, Place::Header));
    let headers = headers.collect();
    let blocker = (!is_http_url(&address))
        .then(|| {
            "Its URL is not an http or https address. Ask its author for a correct server.json.".to_owned()
        })
        .or_else(|| hidden(remote))
        .or_else(|| fields.too_large());
    InstallOption {
        label: format!(
            "{}: {address}",
            if kind == HttpKind::Sse { "HTTP+SSE" } else { "HTTP" }
        ),
        kind: InstallKind::Remote { kind, url, headers },
        blocker,
        notes: Vec::new(),
        program: None,
        fields,
    }
}

/// Why an option is refused that hides what it says.
pub(super) fn hidden(value: &Value) -> Option<String> {
    fn has_hidden(value: &Value) -> bool {
        match value {
            Value::String(text) => with_hidden_marked(text) != *text,
            Value::Array(all) => all.iter().any(has_hidden),
            Value::Object(members) => members.iter().any(|(name, value)| {
                // A variable may have this name too.
                let is_prose = name == "description" && value.is_string();
                !is_prose && (with_hidden_marked(name) != *name || has_hidden(value))
            }),
            _ => false,
        }
    }
    has_hidden(value).then(|| {
        "It has control characters or invisible ones, which hide what it says. Do not use it; ask its author for a correct \
         server.json."
            .to_owned()
    })
}

/// A text of an object, under the first of its names that it has.
pub(super) fn text(of: &Value, names: &[&str]) -> Option<String> {
    let found = names.iter().find_map(|name| of.get(name)?.as_str());
    found.filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The objects of a list.
pub(super) fn list<'a>(of: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    let list = of.get(name).and_then(Value::as_array);
    list.into_iter().flatten().filter(|item| item.is_object())
}
