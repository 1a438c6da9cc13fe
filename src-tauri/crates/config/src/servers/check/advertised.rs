//! Validates what is declared to a server.

use patchbay_contract::AdvertisedDraft;
use patchbay_protocol::json;

/// The maximum length of the revision, in characters.
const LONGEST_REVISION: usize = 100;
/// The maximum size of `experimental` and of `extensions`, in bytes. They are in every request of the modern era.
const LARGEST: usize = 64 * 1024;

/// The draft as stored; none if all is as by default.
pub(super) fn checked(draft: Option<AdvertisedDraft>) -> Result<Option<AdvertisedDraft>, String> {
    let Some(mut draft) = draft else { return Ok(None) };
    object("experimental", &mut draft.experimental_json)?;
    object("extensions", &mut draft.extensions_json)?;
    if let Some(revision) = draft.revision.take() {
        let revision = revision.trim().to_owned();
        if revision.chars().count() > LONGEST_REVISION || revision.contains(char::is_control) {
            return Err(format!(
                "A revision has at most {LONGEST_REVISION} characters and no line breaks."
            ));
        }
        draft.revision = Some(revision).filter(|revision| !revision.is_empty());
    }
    Ok(Some(draft).filter(|draft| *draft != AdvertisedDraft::default()))
}

fn object(name: &str, text: &mut Option<String>) -> Result<(), String> {
    *text = text
        .take()
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty());
    let Some(text) = text else { return Ok(()) };
    if text.len() > LARGEST {
        return Err(format!("`{name}` may have at most {} kB.", LARGEST / 1024));
    }
    match json::Object::parse(text) {
        Ok(_) => Ok(()),
        Err(why) => Err(format!("`{name}` must be a JSON object: {why}.")),
    }
}
