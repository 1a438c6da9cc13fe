//! The check that every request of a user or an app passes before it is sent: a tool whose definition changed is not called
//! until the change is accepted.

use std::sync::Arc;

use patchbay_client::Request;
use patchbay_contract::{CommandError, DefinitionTrust, ErrorCode, ServerId};
use patchbay_protocol::{
    json,
    message::{Message, Text},
    methods,
    views::definition_changes,
};
use patchbay_traffic::OperationId;

use super::{
    super::{Primitive as _, cache, tools::Tools},
    compare::Remembered,
    remember::{stored, trust_of},
    snapshot::Snapshot,
    store::StoredDefinitions,
};
use crate::{
    connections::ConnectionHandle, dispatch::error::fail_with, servers::terminal::quoted, state::Engine,
};

/// The maximum number of changes in an error's message.
const MOST_WORDS: usize = 3;

/// Checks a request. Only `tools/call` is ever refused. What is listed for the check belongs to the request's operation.
///
/// # Errors
/// `DefinitionChanged`: nothing may be sent.
pub(crate) async fn check_call(
    engine: &Engine,
    live: &ConnectionHandle,
    request: &Request,
) -> Result<(), CommandError> {
    match called(&request.method, request.params.as_deref()) {
        Some(name) => check(engine, live, &[name], request.operation).await,
        None => Ok(()),
    }
}

/// Checks a text that is sent as one message, or as several. What is listed for the check belongs to `operation`.
///
/// # Errors
/// As [`check_call`].
pub(crate) async fn check_message(
    engine: &Engine,
    live: &ConnectionHandle,
    text: &str,
    operation: OperationId,
) -> Result<(), CommandError> {
    let text = Text::of(text.as_bytes());
    let messages = text.decode().messages.into_iter();
    let names: Vec<String> = messages
        .filter_map(|located| match located.message {
            Message::Request { method, params, .. } | Message::Notification { method, params } => {
                called(&method, params)
            }
            Message::Response { .. } | Message::Invalid { .. } => None,
        })
        .collect();
    match names.is_empty() {
        true => Ok(()),
        false => check(engine, live, &names, Some(operation)).await,
    }
}

/// The tool that a request calls.
fn called(method: &str, params: Option<&str>) -> Option<String> {
    if method != methods::TOOLS_CALL {
        return None;
    }
    let params = json::Object::parse(params?).ok()?;
    params.string("name").map(Into::into)
}

async fn check(
    engine: &Engine,
    live: &ConnectionHandle,
    names: &[String],
    operation: Option<OperationId>,
) -> Result<(), CommandError> {
    let server = &live.server_id;
    if trust_of(&engine.state, server) == DefinitionTrust::Accept {
        return Ok(());
    }
    // What is still being compared may be the first that is remembered.
    live.lists.definitions().await;
    match stored(engine, server).await? {
        StoredDefinitions::Nothing => Ok(()),
        StoredDefinitions::Damaged(why) => Err(refused(
            engine,
            server,
            "No tool is called, because nothing is known about accepted definitions.",
            "--all",
            why,
        )),
        StoredDefinitions::Remembered(known) => {
            // A tool that is not listed has no definition that could have changed: the server answers for itself.
            let Some(listed) = current(engine, live, operation).await else {
                return Ok(());
            };
            let changed = names.iter().find(|name| is_refused(&known, &listed, name));
            match changed {
                None => Ok(()),
                Some(name) => Err(changed_since(engine, server, &known, &listed, name)),
            }
        }
    }
}

fn is_refused(known: &Remembered, listed: &Snapshot, name: &str) -> bool {
    let found = known.difference(listed, name, DefinitionTrust::Ask);
    found.is_some_and(|found| found.refused)
}

/// The definitions as the server lists them now. They are listed first if they never were on this connection, or if they may
/// have changed since; if that fails, the last listing counts.
pub(super) async fn current(
    engine: &Engine,
    live: &ConnectionHandle,
    operation: Option<OperationId>,
) -> Option<Arc<Snapshot>> {
    let known = live.lists.definitions().await;
    let changes = cache::changes::<Tools>(live);
    let is_current = known.as_ref().is_some_and(|listed| listed.changes >= changes);
    if !is_current && let Some(connection) = &live.connection {
        // A new session may be about to begin.
        connection.settled().await;
    }
    if !is_current && Tools::is_declared(&live.status()) {
        let mut lookup = cache::Lookup {
            refresh: known.is_some(),
            within: operation,
            ..cache::Lookup::default()
        };
        // What another caller was just requesting may be older than the change; what is requested after it is not.
        for _ in 0..2 {
            match cache::all::<Tools>(engine, &live.server_id, lookup).await {
                Ok((_, list)) if list.changes < changes => lookup.refresh = true,
                // The failed request is in the log.
                Ok(_) | Err(_) => break,
            }
        }
    }
    live.lists.definitions().await
}

fn changed_since(
    engine: &Engine,
    server: &ServerId,
    known: &Remembered,
    listed: &Snapshot,
    name: &str,
) -> CommandError {
    let before = known.reviewed(name);
    let after = listed.get(name).cloned().unwrap_or_default();
    let words: Vec<String> = match (before.texts.as_slice(), after.texts.as_slice()) {
        ([before], [after]) => {
            let changes = definition_changes(before, after).changes.into_iter();
            changes.map(|change| change.words).collect()
        }
        (before, after) => vec![format!(
            "The tool is listed {} times instead of {}",
            after.len(),
            before.len()
        )],
    };
    let mut shown = words
        .iter()
        .take(MOST_WORDS)
        .cloned()
        .collect::<Vec<_>>()
        .join("; ");
    if words.len() > MOST_WORDS {
        shown += &format!("; and {} more changes", words.len() - MOST_WORDS);
    }
    let what = format!(
        "The definition of the tool {} changed since it was accepted: {shown}.",
        json::quote(name)
    );
    refused(engine, server, &what, &quoted(name), words.join("\n"))
}

/// `tools`: which definitions `patchbay tools accept` is to accept.
fn refused(engine: &Engine, server: &ServerId, what: &str, tools: &str, detail: String) -> CommandError {
    let name = engine.state.servers.get(server).map(|server| server.draft.name);
    let name = quoted(&name.unwrap_or_default());
    let message = format!(
        "{what} Nothing was sent. Review and accept the definitions in Explore > Tools, or with `patchbay tools diff --server \
         {name}` and `patchbay tools accept --server {name} {tools}`."
    );
    fail_with(ErrorCode::DefinitionChanged, message, detail)
}
