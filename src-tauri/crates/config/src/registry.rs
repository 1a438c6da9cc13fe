//! `server.json` of the MCP registry (<https://github.com/modelcontextprotocol/registry>): a server as packages that are run, or as
//! addresses. Alone, as the registry's API answers with one (`{"server": …, "_meta": …}`), or as its lists of servers and versions.
//!
//! Everything in it is foreign text: it is shown, and becomes a server only with the values that the user enters.

mod document;
mod fill;
mod form;
mod package;

pub use document::{InstallKind, InstallOption, Listed, read, source};
pub use fill::{FillError, Filled};
pub use form::{Element, Template};

#[cfg(test)]
mod tests;
