//! Change notifications: sent directly to legacy clients, and on streams to modern ones.

use patchbay_protocol::json::{self, Object};
use patchbay_protocol::{RequestId, message, meta, methods};

use crate::answer::{Failure, object, strings};
use crate::call::Call;
use crate::shared::{Filter, Shared};

/// `subscriptions/listen`: acknowledges the request and keeps the stream. The response is sent when it ends.
pub(crate) async fn listen(call: &Call, params: Option<&str>) -> Result<(), Failure> {
    let wanted = params
        .and_then(|text| Object::parse(text).ok())
        .and_then(|params| Object::parse(params.get("notifications")?).ok())
        .ok_or_else(|| Failure::params("`notifications` is missing"))?;
    let uris = wanted
        .get("resourceSubscriptions")
        .and_then(json::array)
        .unwrap_or_default();
    let filter = Filter {
        tools: wanted.get("toolsListChanged").and_then(json::boolean) == Some(true),
        resources: uris
            .into_iter()
            .filter_map(|uri| Some(json::string(uri)?.into_owned()))
            .collect(),
    };
    let mut granted = Vec::new();
    if filter.tools {
        granted.push(("toolsListChanged", "true".to_owned()));
    }
    if !filter.resources.is_empty() {
        granted.push(("resourceSubscriptions", strings(&filter.resources)));
    }
    let params = object(&[
        ("_meta", stream_meta(&call.id)),
        ("notifications", object(&granted)),
    ]);
    call.shared
        .send(message::notification(
            methods::SUBSCRIPTIONS_ACKNOWLEDGED,
            Some(&params),
        ))
        .await;
    call.shared.state().streams.push((call.id.clone(), filter));
    Ok(())
}

/// Ends all streams gracefully and returns their number.
pub(crate) async fn end_all(call: &Call) -> usize {
    let streams = std::mem::take(&mut call.shared.state().streams);
    for (id, _) in &streams {
        let result = object(&[
            ("resultType", "\"complete\"".to_owned()),
            ("_meta", stream_meta(id)),
        ]);
        call.shared.send(message::response_result(id, &result)).await;
    }
    streams.len()
}

/// Notifies of a changed list of tools.
pub(crate) async fn tools_changed(shared: &Shared) {
    notify(shared, methods::TOOLS_LIST_CHANGED, None).await;
}

/// Notifies of a changed resource.
pub(crate) async fn resource_changed(shared: &Shared, uri: &str) {
    notify(shared, methods::RESOURCES_UPDATED, Some(uri)).await;
}

async fn notify(shared: &Shared, method: &str, uri: Option<&str>) {
    let mut messages = Vec::new();
    {
        let state = shared.state();
        if state.legacy.is_some() && uri.is_none_or(|uri| state.watched.contains(uri)) {
            let params = uri.map(|uri| object(&[("uri", json::quote(uri))]));
            messages.push(message::notification(method, params.as_deref()));
        }
        for (id, filter) in &state.streams {
            let mut members = vec![("_meta", stream_meta(id))];
            match uri {
                Some(uri) if filter.resources.iter().any(|wanted| wanted == uri) => {
                    members.push(("uri", json::quote(uri)));
                }
                None if filter.tools => {}
                _ => continue,
            }
            messages.push(message::notification(method, Some(&object(&members))));
        }
    }
    for message in messages {
        shared.send(message).await;
    }
}

fn stream_meta(id: &RequestId) -> String {
    object(&[(meta::SUBSCRIPTION_ID, id.to_json())])
}
