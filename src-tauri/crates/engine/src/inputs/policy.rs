//! Who answers what servers ask, when nobody looks: rules given on the command line.

use std::path::PathBuf;

use patchbay_client::{InputKind, InputReply};
use patchbay_protocol::{
    json,
    views::{ClientCapabilities, TASKS_EXTENSION},
};

/// Who answers what servers ask. What nobody answers is not declared as a capability.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InputPolicy {
    /// Somebody looks at `input_list` and answers what no rule does.
    pub attended: bool,
    /// The rule for `elicitation/create`.
    pub elicitation: Option<ElicitationRule>,
    /// The rule for `sampling/createMessage`.
    pub sampling: Option<SamplingRule>,
    /// The rule for `roots/list`: these folders.
    pub roots: Option<Vec<PathBuf>>,
}

/// A rule for `elicitation/create`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ElicitationRule {
    /// Accept a form with the defaults of its schema; what has no default is left out. Decline an address to be opened.
    AcceptDefaults,
    /// Decline.
    Decline,
    /// Cancel.
    Cancel,
    /// Answer with this result: JSON text of an object, sent exactly as it stands.
    Result(String),
}

/// A rule for `sampling/createMessage`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SamplingRule {
    /// Refuse, with the specification's error.
    Decline,
    /// Answer with this text, as an assistant's.
    Text(String),
    /// Answer with this result: JSON text of an object, sent exactly as it stands.
    Result(String),
}

impl InputPolicy {
    /// A person looks at the queue.
    #[must_use]
    pub fn attended() -> Self {
        Self {
            attended: true,
            ..Self::default()
        }
    }

    /// What can be declared: only what something answers.
    pub(crate) fn capabilities(&self) -> ClientCapabilities {
        let mut capabilities = ClientCapabilities::none();
        if self.roots.is_some() || self.attended {
            capabilities = capabilities.with("roots", "{}");
        }
        if self.sampling.is_some() {
            capabilities = capabilities.with("sampling", "{}");
        } else if self.attended {
            // Whoever plays the model can also ask for tools.
            capabilities = capabilities.with("sampling", "{\"tools\":{}}");
        }
        let elicitation = match self.elicitation {
            // Nobody can open an address.
            Some(ElicitationRule::AcceptDefaults | ElicitationRule::Result(_)) => Some("{\"form\":{}}"),
            Some(ElicitationRule::Decline | ElicitationRule::Cancel) => Some("{\"form\":{},\"url\":{}}"),
            None => self.attended.then_some("{\"form\":{},\"url\":{}}"),
        };
        if let Some(elicitation) = elicitation {
            capabilities = capabilities.with("elicitation", elicitation);
        }
        capabilities.with("extensions", &format!("{{\"{TASKS_EXTENSION}\":{{}}}}"))
    }

    /// What the rules say to a request; none leaves it to whoever attends.
    pub(crate) fn decide(&self, kind: InputKind, params: &str) -> Option<InputReply> {
        match kind {
            InputKind::Elicitation => self.elicitation.as_ref().map(|rule| elicited(rule, params)),
            InputKind::Sampling => self.sampling.as_ref().map(sampled),
            InputKind::Roots => self.roots.as_deref().map(roots),
        }
        .or_else(|| (!self.attended).then_some(InputReply::Cancelled))
    }
}

fn elicited(rule: &ElicitationRule, params: &str) -> InputReply {
    let result = match rule {
        ElicitationRule::Decline => "{\"action\":\"decline\"}".to_owned(),
        ElicitationRule::Cancel => "{\"action\":\"cancel\"}".to_owned(),
        ElicitationRule::Result(json) => json.clone(),
        ElicitationRule::AcceptDefaults => match defaults(params) {
            Some(content) => format!("{{\"action\":\"accept\",\"content\":{content}}}"),
            None => "{\"action\":\"decline\"}".to_owned(),
        },
    };
    InputReply::Result(result)
}

/// The defaults of the requested schema, as they are written there; none for what is no form.
fn defaults(params: &str) -> Option<String> {
    let params = json::Object::parse(params).ok()?;
    if params.get("mode").and_then(json::string).as_deref() == Some("url") {
        return None;
    }
    let schema = json::Object::parse(params.get("requestedSchema")?).ok()?;
    let properties = json::Object::parse(schema.get("properties").unwrap_or("{}")).ok()?;
    let mut content = String::from("{");
    for (name, property) in properties.iter() {
        let Some(default) = json::Object::parse(property)
            .ok()
            .and_then(|property| property.get("default").map(str::to_owned))
        else {
            continue;
        };
        if content.len() > 1 {
            content.push(',');
        }
        content.push_str(&json::quote(name));
        content.push(':');
        content.push_str(&default);
    }
    content.push('}');
    Some(content)
}

fn sampled(rule: &SamplingRule) -> InputReply {
    match rule {
        SamplingRule::Decline => InputReply::Error {
            code: -1,
            message: "User rejected sampling request".to_owned(),
            data: None,
        },
        SamplingRule::Text(text) => InputReply::Result(format!(
            "{{\"role\":\"assistant\",\"content\":{{\"type\":\"text\",\"text\":{}}},\"model\":\"patchbay-manual\",\"stopReason\":\"endTurn\"}}",
            json::quote(text)
        )),
        SamplingRule::Result(json) => InputReply::Result(json.clone()),
    }
}

fn roots(folders: &[PathBuf]) -> InputReply {
    let roots: Vec<String> = folders
        .iter()
        .filter_map(|folder| {
            let uri = url::Url::from_directory_path(folder).ok()?;
            let uri = uri.as_str().trim_end_matches('/');
            let name = folder
                .file_name()
                .map(|name| format!(",\"name\":{}", json::quote(&name.to_string_lossy())))
                .unwrap_or_default();
            Some(format!("{{\"uri\":{}{name}}}", json::quote(uri)))
        })
        .collect();
    InputReply::Result(format!("{{\"roots\":[{}]}}", roots.join(",")))
}

#[cfg(test)]
mod tests;
