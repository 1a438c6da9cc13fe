//! Subscriptions to change notifications. In the modern era they arrive on a stream (`subscriptions/listen`), in the legacy
//! era through `resources/subscribe` and unrequested notifications.

mod batching;
mod legacy;
mod modern;
mod subscribed;

use patchbay_contract::*;
use patchbay_protocol::{Era, json};

use crate::{dispatch::error::fail, dispatch::streams::Events, state::Engine};
pub(crate) use subscribed::Subscribed;

/// The stream `subscription_open`.
pub(crate) async fn open(
    engine: Engine,
    params: SubscriptionOpenParams,
    events: Events<SubscriptionEvent>,
) -> Result<(), CommandError> {
    if params.filter == SubscriptionFilter::default() {
        return Err(fail(
            ErrorCode::InvalidParams,
            "Choose at least one thing to watch.",
        ));
    }
    let (live, connection) = engine.state.ready(&params.server_id)?;
    match live.era() {
        Era::Modern => {
            let _stream = live.subscribed.stream();
            modern::run(&engine, &connection, &params.filter, &events).await
        }
        Era::Legacy => legacy::run(&engine, &live, &connection, params.filter, &events).await,
    }
}

/// The filter in wire format.
fn to_json(filter: &SubscriptionFilter) -> String {
    let flags = [
        ("toolsListChanged", filter.tools_list_changed),
        ("promptsListChanged", filter.prompts_list_changed),
        ("resourcesListChanged", filter.resources_list_changed),
    ];
    let lists = [
        ("resourceSubscriptions", &filter.resource_uris),
        ("taskIds", &filter.task_ids),
    ];
    let flags = flags
        .into_iter()
        .filter(|(_, wanted)| *wanted)
        .map(|(name, _)| format!("\"{name}\":true"));
    let lists = lists
        .into_iter()
        .filter(|(_, list)| !list.is_empty())
        .map(|(name, list)| {
            let list: Vec<String> = list.iter().map(|text| json::quote(text)).collect();
            format!("\"{name}\":[{}]", list.join(","))
        });
    format!("{{{}}}", flags.chain(lists).collect::<Vec<_>>().join(","))
}

/// Describes what was requested and not granted.
fn refused(asked: &SubscriptionFilter, granted: &SubscriptionFilter) -> Vec<String> {
    let flags = [
        (
            asked.tools_list_changed,
            granted.tools_list_changed,
            "changes of the list of tools",
        ),
        (
            asked.prompts_list_changed,
            granted.prompts_list_changed,
            "changes of the list of prompts",
        ),
        (
            asked.resources_list_changed,
            granted.resources_list_changed,
            "changes of the list of resources",
        ),
    ];
    let flags = flags
        .into_iter()
        .filter(|(asked, granted, _)| *asked && !granted)
        .map(|(.., words)| words.to_owned());
    let missing = |asked: &[String], granted: &[String], what: &str| -> Vec<String> {
        let missing = asked.iter().filter(|text| !granted.contains(text));
        missing.map(|text| format!("{what} {text}")).collect()
    };
    flags
        .chain(missing(
            &asked.resource_uris,
            &granted.resource_uris,
            "the resource",
        ))
        .chain(missing(&asked.task_ids, &granted.task_ids, "the task"))
        .collect()
}

#[cfg(test)]
mod tests;
