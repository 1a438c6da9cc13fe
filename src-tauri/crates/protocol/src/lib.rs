//! JSON-RPC and MCP as data: exact JSON, ids, messages, revisions and eras, lenient views, pairing, checks.
//!
//! Two guarantees hold everywhere: **decoding never fails** (a decoder returns what it could read and a list of
//! [`Violation`]s), and **text stays text** (views return slices of the received text, with its key order, number text and
//! duplicate keys).
//!
//! Deliberately not here: any I/O, clocks, tasks, schema validation, and what to do about a violation.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

pub mod checks;
pub mod error_codes;
pub mod headers;
mod id;
pub mod json;
pub mod message;
pub mod meta;
pub mod methods;
pub mod pairing;
mod revision;
mod rule;
pub mod shapes;
pub mod template;
pub mod views;

pub use id::RequestId;
pub use message::{Direction, limits};
pub use revision::{Era, Negotiated, Revision, negotiate, server_answer};
pub use rule::{Rule, Severity, Violation};

/// The folder of the official schemas. None, with a message on stderr, if it is not available.
#[cfg(test)]
pub(crate) fn spec_folder() -> Option<std::path::PathBuf> {
    let named = std::env::var_os("PATCHBAY_SPEC_DIR").map(std::path::PathBuf::from);
    let root =
        named.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/spec").into());
    if root.is_dir() {
        return Some(root);
    }
    // Bypasses libtest's capture, which hides the output of passing tests.
    let _ = std::io::Write::write_fmt(
        &mut std::io::stderr(),
        format_args!(
            "SKIPPED what the official schemas check: {} is not there; set PATCHBAY_SPEC_DIR\n",
            root.display()
        ),
    );
    None
}

/// The official examples of 2026-07-28 as (path, text). None, with a message on stderr, if the specification is not
/// available.
#[cfg(test)]
pub(crate) fn spec_examples() -> Option<Vec<(String, String)>> {
    let folder = spec_folder()?.join("2026-07-28/examples");
    let kinds = std::fs::read_dir(&folder).expect("the examples");
    let mut found = Vec::new();
    for kind in kinds {
        for file in std::fs::read_dir(kind.expect("readable").path()).expect("a folder of examples") {
            let path = file.expect("readable").path();
            let text = std::fs::read_to_string(&path).expect("an example");
            let name = path
                .strip_prefix(&folder)
                .expect("below the folder")
                .display()
                .to_string();
            found.push((name, text));
        }
    }
    found.sort();
    Some(found)
}
