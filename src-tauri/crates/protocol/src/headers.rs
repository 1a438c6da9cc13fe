//! The parts of a message that are repeated in HTTP headers (2026-07-28,
//! `basic/transports/streamable-http#request-metadata`).
//!
//! Deliberately not here: sending headers, and the rules of HTTP itself.

mod annotation;
mod value;

use std::borrow::Cow;

use crate::json::{self, Kind, Object};
use crate::{RequestId, meta, methods};

pub use annotation::{ParamHeader, param_headers};
pub use value::{decode, encode};

/// The revision, equal to the one in the body's `_meta`.
pub const PROTOCOL_VERSION: &str = "MCP-Protocol-Version";
/// The method.
pub const METHOD: &str = "Mcp-Method";
/// The subject of a request: a tool, a prompt, a resource or a task.
pub const NAME: &str = "Mcp-Name";
/// The prefix of the name that an `x-mcp-header` gives.
pub const PARAM_PREFIX: &str = "Mcp-Param-";

/// The headers of a request: name and value. `tool` has the annotated parameters of the called tool.
///
/// Missing params have no header: the request is sent as given, and the server reports what is missing.
#[must_use]
pub fn of_request(method: &str, params: Option<&str>, tool: &[ParamHeader]) -> Vec<(String, String)> {
    let mut headers = Vec::with_capacity(3 + tool.len());
    let mut push = |name: &str, value: &str| headers.push((name.to_owned(), encode(value).into_owned()));
    if let Some(version) = meta::member(params, meta::PROTOCOL_VERSION).and_then(json::string) {
        push(PROTOCOL_VERSION, &version);
    }
    push(METHOD, method);
    let Some(params) = params.and_then(|params| Object::parse(params).ok()) else {
        return headers;
    };
    if let Some(name) = name_member(method).and_then(|member| params.string(member)) {
        push(NAME, &name);
    }
    if let Some(arguments) = params.get("arguments").filter(|_| method == methods::TOOLS_CALL) {
        for header in tool {
            if let Some(value) = header.value(arguments) {
                push(&format!("{PARAM_PREFIX}{}", header.name), &value);
            }
        }
    }
    headers
}

/// Why a tool must not be called with these arguments over HTTP: an integer that is repeated in a header is not within
/// ±(2⁵³−1) ("Schema Extension": it MUST be).
#[must_use]
pub fn unsafe_argument(arguments: &str, tool: &[ParamHeader]) -> Option<String> {
    tool.iter().find_map(|header| {
        let value = header.argument(arguments).filter(|value| is_unsafe(value))?;
        Some(format!(
            "`{}` is {}, but an integer that is repeated in the header {PARAM_PREFIX}{} must be within ±9007199254740991 \
             (2^53 − 1)",
            header.path.join("."),
            json::trim(value),
            header.name
        ))
    })
}

/// Whether a value is an integer beyond what every JSON parser holds exactly.
fn is_unsafe(value: &str) -> bool {
    const LIMIT: f64 = 9_007_199_254_740_991.0;
    // 2⁵³ + 1 rounds to 2⁵³, which is beyond the limit too.
    json::number(value).is_some_and(|number| number.fract() == 0.0 && number.abs() > LIMIT)
}

/// The member of `params` that [`NAME`] repeats.
fn name_member(method: &str) -> Option<&'static str> {
    Some(match method {
        methods::TOOLS_CALL | methods::PROMPTS_GET => "name",
        methods::RESOURCES_READ => "uri",
        // The tasks extension (SEP-2663, "Routing Headers").
        methods::TASKS_GET | methods::TASKS_UPDATE | methods::TASKS_CANCEL => "taskId",
        _ => return None,
    })
}

impl ParamHeader {
    /// The argument at this parameter's path, raw.
    fn argument<'a>(&self, arguments: &'a str) -> Option<&'a str> {
        let mut value = arguments;
        for name in &self.path {
            value = Object::parse(value).ok()?.get(name)?;
        }
        Some(value)
    }

    /// The value at this parameter's path before encoding; none if it is absent or `null`, or an integer that must not be in
    /// a header ([`unsafe_argument`]).
    #[must_use]
    pub fn value<'a>(&self, arguments: &'a str) -> Option<Cow<'a, str>> {
        let value = self.argument(arguments)?;
        match json::kind(value) {
            Kind::Null | Kind::Invalid => None,
            Kind::String => json::string(value),
            Kind::Number if is_unsafe(value) => None,
            Kind::Number => Some(match RequestId::parse(value) {
                RequestId::Int(number) => number.to_string().into(),
                _ => Cow::Borrowed(json::trim(value)),
            }),
            // An object or array violates the schema; the server reports it.
            Kind::Bool | Kind::Object | Kind::Array => Some(Cow::Borrowed(json::trim(value))),
        }
    }
}

#[cfg(test)]
mod tests;
