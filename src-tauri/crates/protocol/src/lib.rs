//! JSON-RPC and MCP as data: exact JSON, ids, messages, revisions and eras, lenient views, pairing, checks.
//!
//! Two promises hold everywhere: **decoding never fails** (a decoder returns what it could make and a list of
//! [`Violation`]s), and **text stays text** (what a view hands out are slices of the received text, with its key
//! order, number text and duplicate keys).
//!
//! Deliberately not here: any I/O, clocks, tasks, schema validation, and what to do about a violation.

pub mod checks;
pub mod error_codes;
mod id;
pub mod json;
pub mod message;
pub mod meta;
pub mod methods;
pub mod pairing;
mod revision;
pub mod views;
mod violation;

pub use id::RequestId;
pub use message::Direction;
pub use revision::{Era, Negotiated, Revision, negotiate, server_answer};
pub use violation::{Rule, Severity, Violation};
