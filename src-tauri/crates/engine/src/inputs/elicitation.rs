//! The responder for `elicitation/create` behind `--on-elicitation`.

mod form;

use patchbay_client::{InputKind, InputReply};
use patchbay_protocol::json;

use super::responder::{Answers, InputQuestion, Responder, Response};
pub use form::{Checked, Choice, ElicitationForm, Field, FieldKind};

/// A rule for `elicitation/create`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ElicitationRule {
    /// Accept a form with the defaults of its schema; fields without a default are left out. Decline to open a URL.
    AcceptDefaults,
    /// Decline.
    Decline,
    /// Cancel.
    Cancel,
    /// Respond with this result: JSON text of an object, sent verbatim.
    Result(String),
}

impl ElicitationRule {
    fn result(&self, params: &str) -> String {
        match self {
            Self::Decline => "{\"action\":\"decline\"}".to_owned(),
            Self::Cancel => "{\"action\":\"cancel\"}".to_owned(),
            Self::Result(json) => json.clone(),
            Self::AcceptDefaults => match defaults(params) {
                Some(content) => format!("{{\"action\":\"accept\",\"content\":{content}}}"),
                None => "{\"action\":\"decline\"}".to_owned(),
            },
        }
    }
}

impl Responder for ElicitationRule {
    fn rule(&self) -> Option<String> {
        let what = match self {
            Self::AcceptDefaults => "accept-defaults",
            Self::Decline => "decline",
            Self::Cancel => "cancel",
            Self::Result(_) => "this result",
        };
        Some(format!("--on-elicitation, {what}"))
    }

    fn answers(&self) -> Vec<Answers> {
        let capability = match self {
            // No rule can open a URL.
            Self::AcceptDefaults | Self::Result(_) => "{\"form\":{}}",
            Self::Decline | Self::Cancel => "{\"form\":{},\"url\":{}}",
        };
        vec![Answers {
            kind: InputKind::Elicitation,
            capability,
            always: true,
        }]
    }

    fn respond<'a>(&'a self, question: &'a InputQuestion) -> Response<'a> {
        let reply = (question.input.kind == InputKind::Elicitation)
            .then(|| InputReply::Result(self.result(&question.input.params)));
        Box::pin(std::future::ready(reply))
    }
}

/// The defaults of the requested schema, verbatim; none if it is not a form.
fn defaults(params: &str) -> Option<String> {
    let params = json::Object::parse(params).ok()?;
    if params.get("mode").and_then(json::string).as_deref() == Some("url") {
        return None;
    }
    let schema = json::Object::parse(params.get("requestedSchema")?).ok()?;
    let properties = json::Object::parse(schema.get("properties").unwrap_or("{}")).ok()?;
    let content: Vec<String> = properties
        .iter()
        .filter_map(|(name, property)| {
            let property = json::Object::parse(property).ok()?;
            Some(format!("{}:{}", json::quote(name), property.get("default")?))
        })
        .collect();
    Some(format!("{{{}}}", content.join(",")))
}
