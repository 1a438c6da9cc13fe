//! What is declared to a server: what its chain answers, less what its settings switch off.

use patchbay_client::InputKind;
use patchbay_contract::AdvertisedDraft;
use patchbay_protocol::{json, views::ClientCapabilities};

/// The capabilities to declare. `answered` are the kinds that the chain answers with their capabilities, as JSON texts;
/// `extensions` is what Patchbay supports.
pub(super) fn declared(
    advertised: &AdvertisedDraft,
    answered: &[(InputKind, String)],
    extensions: String,
) -> ClientCapabilities {
    let mut all = ClientCapabilities::none();
    for (kind, capability) in answered {
        if let Some(value) = switched(advertised, *kind, capability) {
            all = all.with(kind.capability(), &value);
        }
    }
    if let Some(tasks) = tasks(advertised, &all) {
        all = all.with("tasks", &tasks);
    }
    if let Some(experimental) = &advertised.experimental_json {
        all = all.with("experimental", experimental);
    }
    all.with(
        "extensions",
        advertised.extensions_json.as_deref().unwrap_or(&extensions),
    )
}

/// The value of a capability without the parts that are switched off; none if nothing is left of it.
fn switched(advertised: &AdvertisedDraft, kind: InputKind, capability: &str) -> Option<String> {
    let is_on = |part: &str| match (kind, part) {
        (InputKind::Sampling, "tools") => advertised.sampling_tools,
        (InputKind::Sampling, "context") => advertised.sampling_context,
        (InputKind::Elicitation, "form") => advertised.elicitation_form,
        (InputKind::Elicitation, "url") => advertised.elicitation_url,
        (InputKind::Roots, "listChanged") => advertised.roots_list_changed,
        _ => true,
    };
    let object = json::Object::parse(capability).ok()?;
    let parts: Vec<String> = object
        .iter()
        .filter(|(name, _)| is_on(name))
        .map(|(name, value)| format!("{}:{value}", json::quote(name)))
        .collect();
    let declared = match kind {
        InputKind::Sampling => advertised.sampling,
        // `{}` would mean forms.
        InputKind::Elicitation => !parts.is_empty(),
        InputKind::Roots => advertised.roots,
    };
    declared.then(|| format!("{{{}}}", parts.join(",")))
}

/// The value of `tasks` (2025-11-25): the declared kinds that can be answered as tasks.
fn tasks(advertised: &AdvertisedDraft, declared: &ClientCapabilities) -> Option<String> {
    let requests: Vec<&str> = [
        (InputKind::Sampling, r#""sampling":{"createMessage":{}}"#),
        (InputKind::Elicitation, r#""elicitation":{"create":{}}"#),
    ]
    .into_iter()
    .filter(|(kind, _)| declared.has(kind.capability()))
    .map(|(_, request)| request)
    .collect();
    (advertised.tasks && !requests.is_empty()).then(|| {
        format!(
            r#"{{"list":{{}},"cancel":{{}},"requests":{{{}}}}}"#,
            requests.join(",")
        )
    })
}

#[cfg(test)]
mod tests;
