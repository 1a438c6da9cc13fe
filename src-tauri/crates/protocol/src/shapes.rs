//! The shapes of all messages in every revision: which methods exist, who may send them, and the members of their params and
//! results. Tables ([`methods`], [`content`], [`lists`], [`inputs`], [`handshake`]) and one walker ([`check`]).
//!
//! A shape says no more than the official schema of the revision (a test compares them member by member) and what its pages
//! add with a MUST. Members that the schema does not name are allowed, as it allows them.
//!
//! Deliberately not here: relations between messages ([`crate::pairing`], [`crate::checks`]), the schemas of tools, and values
//! that belong to a tool ([`crate::views`]).

mod absent;
mod check;
mod content;
mod handshake;
mod inputs;
mod lists;
mod methods;
mod table;

use std::borrow::Cow;

use crate::message::RpcError;
use crate::{Direction, Era, Revision, Rule, Violation, error_codes, json, methods as names};
pub use absent::drop_absent;
use check::Walk;
pub use methods::{Method, MethodKind, method};
use table::Shape;

/// The violations of a request's or notification's params, in both directions. Pointers are into the message.
#[must_use]
pub fn params(revision: Revision, method: &str, params: Option<&str>) -> Vec<Violation> {
    let Some(method) = methods::method(method, revision) else {
        return Vec::new();
    };
    let Some(shape) = &method.params else {
        return Vec::new();
    };
    let Some(params) = params else {
        let needed = match shape {
            Shape::Record(record) => record.fields.iter().find(|field| field.is_required(revision)),
            _ => inputs::FORM
                .fields
                .iter()
                .find(|field| field.is_required(revision)),
        };
        let missing = |field: &table::Field| {
            let message = format!("`params` is missing, which must have `{}`", field.name);
            Violation::at(Rule::MemberMissing, "/params", message)
        };
        return needed.map(missing).into_iter().collect();
    };
    // Anything but an object was reported when the message was decoded.
    if json::kind(params) != json::Kind::Object {
        return Vec::new();
    }
    Walk::of(revision, "/params", params, shape)
}

/// The violations of a complete result of `method`. Pointers are into the message.
#[must_use]
pub fn result(revision: Revision, method: &str, result: &str) -> Vec<Violation> {
    // A client may answer with a task too, if the server asked for one.
    let may_be_task = revision == Revision::V2025_11_25
        && matches!(method, names::SAMPLING_CREATE_MESSAGE | names::ELICITATION_CREATE);
    if may_be_task && json::member(result, "task").is_some() {
        return Walk::of(revision, "/result", result, &Shape::Record(&lists::CREATED_TASK));
    }
    match methods::method(method, revision).and_then(|method| method.result.as_ref()) {
        Some(shape) if json::kind(result) == json::Kind::Object => {
            Walk::of(revision, "/result", result, shape)
        }
        _ => Vec::new(),
    }
}

/// The violations of the input requests of a result or a task (modern era), which is at this place in the message.
#[must_use]
pub fn input_required(revision: Revision, place: &'static str, asking: &str) -> Vec<Violation> {
    Walk::of(revision, place, asking, &Shape::Record(&inputs::INPUT_REQUIRED))
}

/// The violations of an error: a code that is reserved, and the data that some codes define. Pointers are into the message.
#[must_use]
pub fn error(revision: Revision, error: &RpcError<'_>) -> Vec<Violation> {
    let is_reserved = |code: &i64| revision.era() == Era::Modern && error_codes::is_reserved(*code);
    if let Some(code) = error.code.filter(is_reserved) {
        let message = format!("error {code} is reserved: it must not be used in revision {revision}");
        return vec![Violation::at(Rule::ErrorCodeReserved, "/error/code", message)];
    }
    let record = match (error.code, revision) {
        (Some(error_codes::URL_ELICITATION_REQUIRED), Revision::V2025_11_25) => &inputs::URL_REQUIRED,
        (Some(error_codes::UNSUPPORTED_PROTOCOL_VERSION), Revision::V2026_07_28) => {
            &handshake::UNSUPPORTED_VERSION
        }
        (Some(error_codes::MISSING_CLIENT_CAPABILITY), Revision::V2026_07_28) => {
            &handshake::MISSING_CAPABILITY
        }
        _ => return Vec::new(),
    };
    match error.data {
        Some(data) => Walk::of(revision, "/error/data", data, &Shape::Record(record)),
        None => vec![Violation::at(
            Rule::MemberMissing,
            "/error/data",
            format!("`data` is missing, which error {} must have", error.code_text),
        )],
    }
}

/// Adds violations of a revision, except those whose place has one already: a view says more about it. One of a rule that the
/// revision does not have says nothing.
pub fn add(revision: Revision, violations: &mut Vec<Violation>, more: Vec<Violation>) {
    for violation in more {
        let says_more =
            |known: &Violation| known.pointer == violation.pointer && known.rule.applies(revision);
        if !violations.iter().any(says_more) {
            violations.push(violation);
        }
    }
}

/// The violations of a method by itself: it does not exist in this revision, the other side sends it, or it has the wrong
/// kind (an id where there must be none, or none where there must be one). `has_id`: it is a request.
#[must_use]
pub fn misuse(revision: Revision, direction: Direction, name: &str, has_id: bool) -> Option<Violation> {
    let Some(method) = methods::method(name, revision) else {
        let elsewhere = methods::known(name)?;
        let rule = match elsewhere.is_in(revision.era()) {
            true => Rule::MethodNotInRevision,
            false => Rule::WrongEra,
        };
        let where_else: Cow<'_, str> = elsewhere.revisions_in_words().into();
        let message = format!("{name} does not exist in revision {revision}, only in {where_else}");
        return Some(Violation::at(rule, "/method", message));
    };
    if !method.may_be_sent(direction) {
        let sender = match direction {
            Direction::ClientToServer => "client",
            Direction::ServerToClient => "server",
        };
        let message = format!("{name} was sent by the {sender}, but only the other side may send it");
        return Some(Violation::at(Rule::WrongDirection, "/method", message));
    }
    match (method.kind, has_id) {
        (MethodKind::Request, false) => Some(Violation::new(
            Rule::MethodKind,
            format!("{name} is a request, but it has no `id`, so nobody can answer it"),
        )),
        (MethodKind::Notification, true) => Some(Violation::at(
            Rule::MethodKind,
            "/id",
            format!("{name} is a notification, but it has an `id`"),
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
