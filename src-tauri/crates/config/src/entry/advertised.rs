//! The member `advertised` of an entry: what is declared to the server, as far as it differs from the default.

use patchbay_contract::AdvertisedDraft;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The form in the file: JSON where the draft has JSON text.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Written {
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling_tools: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling_context: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elicitation_form: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elicitation_url: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    roots: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    roots_list_changed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tasks: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    experimental: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    any_revision: Option<bool>,
}

/// Reads it; none if it is not understood.
pub(super) fn read(raw: &RawValue) -> Option<AdvertisedDraft> {
    let written: Written = serde_json::from_str(raw.get()).ok()?;
    let on = AdvertisedDraft::default();
    let text = |value: Option<Box<RawValue>>| value.map(|value| value.get().to_owned());
    Some(AdvertisedDraft {
        sampling: written.sampling.unwrap_or(on.sampling),
        sampling_tools: written.sampling_tools.unwrap_or(on.sampling_tools),
        sampling_context: written.sampling_context.unwrap_or(on.sampling_context),
        elicitation_form: written.elicitation_form.unwrap_or(on.elicitation_form),
        elicitation_url: written.elicitation_url.unwrap_or(on.elicitation_url),
        roots: written.roots.unwrap_or(on.roots),
        roots_list_changed: written.roots_list_changed.unwrap_or(on.roots_list_changed),
        tasks: written.tasks.unwrap_or(on.tasks),
        experimental_json: text(written.experimental),
        extensions_json: text(written.extensions),
        revision: written.revision,
        any_revision: written.any_revision.unwrap_or(on.any_revision),
    })
}

/// What is written; none if all is as by default.
pub(super) fn written(draft: &AdvertisedDraft) -> serde_json::Result<Option<impl Serialize + use<>>> {
    let on = AdvertisedDraft::default();
    if *draft == on {
        return Ok(None);
    }
    let differs = |set: bool, default: bool| (set != default).then_some(set);
    let json = |text: &Option<String>| text.clone().map(RawValue::from_string).transpose();
    Ok(Some(Written {
        sampling: differs(draft.sampling, on.sampling),
        sampling_tools: differs(draft.sampling_tools, on.sampling_tools),
        sampling_context: differs(draft.sampling_context, on.sampling_context),
        elicitation_form: differs(draft.elicitation_form, on.elicitation_form),
        elicitation_url: differs(draft.elicitation_url, on.elicitation_url),
        roots: differs(draft.roots, on.roots),
        roots_list_changed: differs(draft.roots_list_changed, on.roots_list_changed),
        tasks: differs(draft.tasks, on.tasks),
        experimental: json(&draft.experimental_json)?,
        extensions: json(&draft.extensions_json)?,
        revision: draft.revision.clone(),
        any_revision: differs(draft.any_revision, on.any_revision),
    }))
}
