//! The server's identity and capabilities, in both eras.

use patchbay_protocol::json::{self, Object};
use patchbay_protocol::{Era, Revision, server_answer};

use crate::answer::{Answer, Failure, object, server_info, strings};
use crate::call::Call;

const INSTRUCTIONS: &str = "A demo server: everything a client has to cope with, and nothing that matters. Try `greet` \
    first, `count_slowly` for progress, `every_content` for all types of content, `toggle_tool` for a list that changes.";

fn capabilities(revision: Revision) -> String {
    let mut members = vec![
        ("tools", r#"{"listChanged":true}"#),
        ("resources", r#"{"subscribe":true}"#),
        ("prompts", "{}"),
        ("logging", "{}"),
    ];
    if revision > Revision::V2024_11_05 {
        members.push(("completions", "{}"));
    }
    if revision.era() == Era::Modern {
        members.push(("extensions", r#"{"io.modelcontextprotocol/skills":{}}"#));
    }
    object(&members)
}

/// `initialize`: the requested version if it is a supported legacy one, otherwise the latest.
pub(crate) fn initialize(call: &Call, params: Option<&str>) -> Result<Answer, Failure> {
    let params = params.and_then(|text| Object::parse(text).ok());
    let Some(requested) = params
        .as_ref()
        .and_then(|params| params.string("protocolVersion"))
    else {
        return Err(Failure::params("`protocolVersion` is missing"));
    };
    let revision = server_answer(&requested);
    let capabilities_of_client = params.as_ref().and_then(|params| params.get("capabilities"));
    {
        let mut state = call.shared.state();
        state.legacy = Some(revision);
        state.client_capabilities = capabilities_of_client.unwrap_or("{}").to_owned();
    }
    Ok(Answer::new()
        .with("protocolVersion", json::quote(revision.as_str()))
        .with("capabilities", capabilities(revision))
        .with("serverInfo", server_info())
        .with("instructions", json::quote(INSTRUCTIONS)))
}

/// `server/discover`.
pub(crate) fn discover(call: &Call) -> Answer {
    let modern: Vec<&str> = Revision::ALL
        .iter()
        .rev()
        .filter(|revision| revision.era() == Era::Modern)
        .map(|one| one.as_str())
        .collect();
    Answer::new()
        .with("supportedVersions", strings(&modern))
        .with("capabilities", capabilities(call.revision))
        .with("instructions", json::quote(INSTRUCTIONS))
        .cacheable()
}
