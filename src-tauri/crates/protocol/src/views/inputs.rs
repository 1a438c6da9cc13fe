//! Input requests: the rounds of 2026-07-28 (`basic/patterns/mrtr`), and the params of elicitation and sampling in both
//! eras.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::reader::{Reader, below};
use crate::json::{self, Kind, Object};
use crate::limits::MEMBERS;
use crate::{Rule, Violation, methods};

/// A result with `resultType: input_required`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InputRequired<'a> {
    /// The input requests, in order. Malformed ones are skipped and reported as violations.
    pub requests: Vec<InputAsked<'a>>,
    /// Whether all of `inputRequests` is readable.
    pub complete: bool,
    /// `requestState`, raw. It must be sent back verbatim and is opaque.
    pub state: Option<&'a str>,
    /// Its violations. Pointers are into the result.
    pub violations: Vec<Violation>,
}

/// One input request.
#[derive(Debug, Clone, PartialEq)]
pub struct InputAsked<'a> {
    /// Its key.
    pub key: Cow<'a, str>,
    /// Its key as written, with quotes.
    pub key_text: &'a str,
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: Cow<'a, str>,
    /// `params`, raw.
    pub params: Option<&'a str>,
}

impl<'a> InputRequired<'a> {
    /// Parses a result.
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
            let message = "neither `inputRequests` nor `requestState`: no input is requested";
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

/// Parses a map of input requests. Returns whether all of it is readable.
pub(super) fn input_requests<'a>(
    text: &'a str,
    pointer: &str,
    violations: &mut Vec<Violation>,
) -> (Vec<InputAsked<'a>>, bool) {
    let mut reader = Reader::at(text, pointer.to_owned());
    violations.append(&mut reader.violations);
    let Ok((object, count)) = Object::parse_within(text, MEMBERS) else {
        return (Vec::new(), false);
    };
    let mut requests: Vec<InputAsked<'a>> = Vec::with_capacity(object.len());
    let mut places: HashMap<Cow<'a, str>, usize> = HashMap::new();
    let mut complete = count <= MEMBERS;
    for member in object.members() {
        let mut reader = Reader::at(member.value, below(pointer, &member.name));
        reader.require("method");
        let method = reader.string("method").unwrap_or_default();
        let known = matches!(
            &*method,
            methods::ELICITATION_CREATE | methods::SAMPLING_CREATE_MESSAGE | methods::ROOTS_LIST
        );
        if !known && !method.is_empty() {
            let message = format!("{method} is not allowed as an input request");
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
        // Of duplicate names, the last one counts.
        match places.entry(asked.key.clone()) {
            Entry::Occupied(place) => requests[*place.get()] = asked,
            Entry::Vacant(place) => {
                place.insert(requests.len());
                requests.push(asked);
            }
        }
    }
    (requests, complete)
}

/// The `params` of a retry: those of the first request, with the responses and the state. Every value is unchanged.
/// `responses` are keys as written and JSON texts.
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

/// The `params` of `tasks/update`: the input that a task requested (tasks extension).
#[must_use]
pub fn update_params(task_id: &str, responses: &[(String, String)]) -> String {
    let given = format!("{{\"taskId\":{}}}", json::quote(task_id));
    retry_params(Some(&given), responses, None)
}

/// How an elicitation is answered.
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
    /// `form` if it is missing; none if the value is unknown.
    pub mode: Option<ElicitationMode>,
    /// The message for the user; empty if missing.
    pub message: Cow<'a, str>,
    /// `requestedSchema`, raw.
    pub schema: Option<&'a str>,
    /// The URL to open.
    pub url: Option<Cow<'a, str>>,
    /// The id in `notifications/elicitation/complete` (2025-11-25).
    pub elicitation_id: Option<Cow<'a, str>>,
    /// Its violations. Pointers are into `params`.
    pub violations: Vec<Violation>,
}

impl<'a> Elicitation<'a> {
    /// Parses `params`.
    #[must_use]
    pub fn parse(params: Option<&'a str>) -> Self {
        let mut reader = Reader::new(params.unwrap_or("{}"));
        reader.require("message");
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
            Some(ElicitationMode::Form) => reader.require("requestedSchema"),
            Some(ElicitationMode::Url) => reader.require("url"),
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

/// The `params` of `sampling/createMessage` that decide who may answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampling<'a> {
    /// `messages`, raw.
    pub messages: Vec<&'a str>,
    /// `systemPrompt`.
    pub system_prompt: Option<Cow<'a, str>>,
    /// `maxTokens`.
    pub max_tokens: Option<f64>,
    /// Whether the model may use tools.
    pub tools: bool,
    /// Its violations. Pointers are into `params`.
    pub violations: Vec<Violation>,
}

impl<'a> Sampling<'a> {
    /// Parses `params`.
    #[must_use]
    pub fn parse(params: Option<&'a str>) -> Self {
        let mut reader = Reader::new(params.unwrap_or("{}"));
        reader.require("messages");
        reader.require("maxTokens");
        Self {
            messages: reader.array("messages").unwrap_or_default(),
            system_prompt: reader.string("systemPrompt"),
            max_tokens: reader.number("maxTokens"),
            tools: reader.raw("tools").is_some() || reader.raw("toolChoice").is_some(),
            violations: reader.violations,
        }
    }
}

#[cfg(test)]
mod tests;
