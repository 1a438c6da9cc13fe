//! The configured servers: `servers.json`, parsing of pasted text, bundles, `server.json`, and the locations of secrets in settings.
//!
//! Everything here works on text, drafts and files. Deliberately not here: connecting to a server, the vault that holds
//! the secrets (`patchbay-vault`), and when a change takes effect (`patchbay-engine`).
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

pub mod bundle;
mod command_words;
mod debugger;
mod entry;
mod files;
mod form_schema;
mod group_names;
mod hosts;
mod parse;
pub mod registry;
pub mod secrets;
mod servers;

pub use command_words::command_words;
pub use debugger::{debugged, debugger_preview};
pub use entry::is_http_url;
pub use files::{
    FileError, TextError, expand_home, make_parent, open_private, read_text, read_text_from,
    remove_unfinished, write_atomically,
};
pub use hosts::{
    Exported, HostFolders, export as export_for, find as find_hosts, identify, places as host_places,
};
pub use parse::{free_name, http, is_bare_address, is_json, one_command, one_url, parse};
pub use servers::{Server, Servers, checked, new_id};
