//! Encodes messages. Raw values are written verbatim, except for line breaks between tokens: a message is one line.

use crate::{RequestId, json};

/// A request.
#[must_use]
pub fn request(id: &RequestId, method: &str, params: Option<&str>) -> String {
    let mut out = head(Some(id), method.len() + params.map_or(0, str::len));
    push_call(method, params, &mut out);
    out
}

/// A notification.
#[must_use]
pub fn notification(method: &str, params: Option<&str>) -> String {
    let mut out = head(None, method.len() + params.map_or(0, str::len));
    push_call(method, params, &mut out);
    out
}

/// A response with a result.
#[must_use]
pub fn response_result(id: &RequestId, result: &str) -> String {
    let mut out = head(Some(id), result.len());
    out.push_str(",\"result\":");
    out.push_str(&json::one_line(result));
    out.push('}');
    out
}

/// A response with an error. `data` is JSON text.
#[must_use]
pub fn response_error(id: Option<&RequestId>, code: i64, message: &str, data: Option<&str>) -> String {
    let mut out = head(id, message.len() + data.map_or(0, str::len));
    out.push_str(",\"error\":{\"code\":");
    out.push_str(&code.to_string());
    out.push_str(",\"message\":");
    json::push_quoted(message, &mut out);
    if let Some(data) = data {
        out.push_str(",\"data\":");
        out.push_str(&json::one_line(data));
    }
    out.push_str("}}");
    out
}

fn head(id: Option<&RequestId>, room: usize) -> String {
    let mut out = String::with_capacity(room + 80);
    out.push_str("{\"jsonrpc\":\"2.0\"");
    if let Some(id) = id {
        out.push_str(",\"id\":");
        out.push_str(&id.to_json());
    }
    out
}

fn push_call(method: &str, params: Option<&str>, out: &mut String) {
    out.push_str(",\"method\":");
    json::push_quoted(method, out);
    if let Some(params) = params {
        out.push_str(",\"params\":");
        out.push_str(&json::one_line(params));
    }
    out.push('}');
}
