//! Input that a server asks for: the rounds of 2026-07-28 (`basic/patterns/mrtr`), and what elicitation and sampling
//! say in either era.

use std::borrow::Cow;

use super::reader::{Reader, escape};
use crate::json::{self, Kind, Object};
use crate::{Rule, Violation, methods};

/// A result with `resultType: input_required`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InputRequired<'a> {
    /// What is asked for, in order. Malformed ones are left out: they are among the violations.
    pub requests: Vec<InputAsked<'a>>,
    /// Whether all of `inputRequests` could be read.
    pub complete: bool,
    /// `requestState`, raw: to be sent back byte for byte, and never to be looked into.
    pub state: Option<&'a str>,
    /// What is wrong with it. Pointers are into the result.
    pub violations: Vec<Violation>,
}

/// One input that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct InputAsked<'a> {
    /// Its key.
    pub key: Cow<'a, str>,
    /// Its key as it is written, with the quotes.
    pub key_text: &'a str,
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: Cow<'a, str>,
    /// `params`, raw.
    pub params: Option<&'a str>,
}

impl<'a> InputRequired<'a> {
    /// Reads a result.
    #[must_use]
    pub fn parse(result: &'a str) -> Self {
        let mut reader = Reader::new(result);
        let state = reader.raw("requestState");
        if let Some(state) = state
            && json::kind(state) != Kind::String
        {
            let message = format!(
                "`requestState` is {} instead of a string",
                json::kind(state).name()
            );
            reader.push(Rule::MemberType, "requestState", message);
        }
        let asked = reader.raw("inputRequests");
        if asked.is_none() && state.is_none() {
            let message = "neither `inputRequests` nor `requestState`: nothing is asked for";
            reader.push(Rule::InputRequiredEmpty, "", message);
        }
        let mut violations = std::mem::take(&mut reader.violations);
        let (requests, complete) = match asked {
            Some(asked) => input_requests(asked, "/inputRequests", &mut violations),
            None => (Vec::new(), true),
        };
        Self {
            requests,
            complete,
            state,
            violations,
        }
    }
}

/// Reads a map of input requests; whether all of it could be read.
pub(super) fn input_requests<'a>(
    text: &'a str,
    pointer: &str,
    violations: &mut Vec<Violation>,
) -> (Vec<InputAsked<'a>>, bool) {
    let mut reader = Reader::at(text, pointer.to_owned());
    violations.append(&mut reader.violations);
    let Ok(object) = Object::parse(text) else {
        return (Vec::new(), false);
    };
    let mut requests: Vec<InputAsked<'a>> = Vec::with_capacity(object.len());
    let mut complete = true;
    for member in object.members() {
        let mut reader = Reader::at(member.value, format!("{pointer}/{}", escape(&member.name)));
        reader.demand("method");
        let method = reader.string("method").unwrap_or_default();
        let known = matches!(
            &*method,
            methods::ELICITATION_CREATE | methods::SAMPLING_CREATE_MESSAGE | methods::ROOTS_LIST
        );
        if !known && !method.is_empty() {
            let message = format!("{method} is none of the requests that may be asked here");
            reader.push(Rule::InputRequestUnknown, "method", message);
        }
        let params = reader.object("params");
        violations.append(&mut reader.violations);
        if !known {
            complete = false;
            continue;
        }
        let asked = InputAsked {
            key: member.name.clone(),
            key_text: member.name_text,
            method,
            params,
        };
        // Of two with one name the last counts, as everywhere.
        match requests.iter_mut().find(|earlier| earlier.key == asked.key) {
            Some(earlier) => *earlier = asked,
            None => requests.push(asked),
        }
    }
    (requests, complete)
}

/// The `params` of a retry: those of the first request with what was answered and the state, both in place of any that
/// are there. Every value stays byte for byte. `responses` are keys as they were written and JSON texts.
#[must_use]
pub fn retry_params(params: Option<&str>, responses: &[(String, String)], state: Option<&str>) -> String {
    let mut out = String::from("{");
    let mut push = |name: &str, value: &str| {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(name);
        out.push(':');
        out.push_str(value);
    };
    let given = params.and_then(|params| Object::parse(params).ok());
    for member in given.iter().flat_map(Object::members) {
        if member.name != "inputResponses" && member.name != "requestState" {
            push(member.name_text, member.value);
        }
    }
    if !responses.is_empty() {
        let list: Vec<String> = responses
            .iter()
            .map(|(key, value)| format!("{key}:{value}"))
            .collect();
        push("\"inputResponses\"", &format!("{{{}}}", list.join(",")));
    }
    if let Some(state) = state {
        push("\"requestState\"", state);
    }
    out.push('}');
    out
}

/// The `params` of `tasks/update`: what a task asked for (tasks extension).
#[must_use]
pub fn update_params(task_id: &str, responses: &[(String, String)]) -> String {
    let given = format!("{{\"taskId\":{}}}", json::quote(task_id));
    retry_params(Some(&given), responses, None)
}

/// How an elicitation is to be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElicitationMode {
    /// By filling in a form.
    Form,
    /// By visiting a URL.
    Url,
}

/// The `params` of `elicitation/create`.
#[derive(Debug, Clone, PartialEq)]
pub struct Elicitation<'a> {
    /// `form` if it does not say; none if it is one nobody knows.
    pub mode: Option<ElicitationMode>,
    /// What the user is told; empty if missing.
    pub message: Cow<'a, str>,
    /// `requestedSchema`, raw.
    pub schema: Option<&'a str>,
    /// Where the user is to go.
    pub url: Option<Cow<'a, str>>,
    /// What `notifications/elicitation/complete` will name (2025-11-25).
    pub elicitation_id: Option<Cow<'a, str>>,
    /// What is wrong with it. Pointers are into `params`.
    pub violations: Vec<Violation>,
}

impl<'a> Elicitation<'a> {
    /// Reads `params`.
    #[must_use]
    pub fn parse(params: Option<&'a str>) -> Self {
        let mut reader = Reader::new(params.unwrap_or("{}"));
        reader.demand("message");
        let named = reader.string("mode");
        let mode = match named.as_deref() {
            None | Some("form") => Some(ElicitationMode::Form),
            Some("url") => Some(ElicitationMode::Url),
            Some(other) => {
                let message = format!("`mode` is {other:?}, not form or url");
                reader.push(Rule::MemberType, "mode", message);
                None
            }
        };
        match mode {
            Some(ElicitationMode::Form) => reader.demand("requestedSchema"),
            Some(ElicitationMode::Url) => reader.demand("url"),
            None => {}
        }
        Self {
            mode,
            message: reader.string("message").unwrap_or_default(),
            schema: reader.object("requestedSchema"),
            url: reader.string("url"),
            elicitation_id: reader.string("elicitationId"),
            violations: reader.violations,
        }
    }
}

/// The `params` of `sampling/createMessage`, as far as it decides who may answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampling<'a> {
    /// `messages`, raw.
    pub messages: Vec<&'a str>,
    /// `systemPrompt`.
    pub system_prompt: Option<Cow<'a, str>>,
    /// `maxTokens`.
    pub max_tokens: Option<f64>,
    /// Whether the model may use tools of the server's.
    pub tools: bool,
    /// What is wrong with it. Pointers are into `params`.
    pub violations: Vec<Violation>,
}

impl<'a> Sampling<'a> {
    /// Reads `params`.
    #[must_use]
    pub fn parse(params: Option<&'a str>) -> Self {
        let mut reader = Reader::new(params.unwrap_or("{}"));
        reader.demand("messages");
        reader.demand("maxTokens");
        Self {
            messages: reader.array("messages").unwrap_or_default(),
            system_prompt: reader.string("systemPrompt"),
            max_tokens: reader.number("maxTokens"),
            tools: reader.raw("tools").is_some() || reader.raw("toolChoice").is_some(),
            violations: reader.violations,
        }
    }
}

/// `elicitationId` of `notifications/elicitation/complete` (2025-11-25).
#[must_use]
pub fn completed_elicitation(params: Option<&str>) -> Option<Cow<'_, str>> {
    Object::parse(params?).ok()?.string("elicitationId")
}

#[cfg(test)]
mod tests;
