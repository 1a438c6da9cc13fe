//! Decodes frames. Never fails: problems become violations, and anything that is not a message becomes `Invalid`.

use std::borrow::Cow;

use super::{Decoded, Located, Message, Outcome, RpcError};
use crate::json::{self, Kind, Member, Object, Scanner, members};
use crate::limits::{ID_BYTES, Limits, MEMBERS};
use crate::{RequestId, Rule, Violation};

/// A frame as text of the same length, so that spans in the text are valid in the frame.
///
/// A frame that is not UTF-8 is repaired: each invalid byte becomes `?`, with a violation.
#[derive(Debug, Clone)]
pub struct Text<'a> {
    text: Cow<'a, str>,
    violation: Option<Violation>,
}

impl<'a> Text<'a> {
    /// The text of a frame.
    #[must_use]
    pub fn of(frame: &'a [u8]) -> Self {
        match std::str::from_utf8(frame) {
            Ok(text) => Self {
                text: Cow::Borrowed(text),
                violation: None,
            },
            Err(error) => {
                let message = format!("not UTF-8 at byte {}", error.valid_up_to());
                Self {
                    text: Cow::Owned(repair(frame)),
                    violation: Some(Violation::new(Rule::NotUtf8, message)),
                }
            }
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text, without the violation.
    #[must_use]
    pub fn into_str(self) -> Cow<'a, str> {
        self.text
    }

    /// The messages in it. Never fails.
    #[must_use]
    pub fn decode(&self) -> Decoded<'_> {
        self.decode_within(&Limits::default())
    }

    /// As [`Self::decode`], within these limits.
    #[must_use]
    pub fn decode_within(&self, limits: &Limits) -> Decoded<'_> {
        let mut decoded = decode_text(&self.text, limits.messages_per_frame);
        if let Some(violation) = &self.violation {
            decoded.violations.insert(0, violation.clone());
        }
        decoded
    }
}

/// Replaces each byte that is not part of a character with `?`, preserving the length.
fn repair(frame: &[u8]) -> String {
    let mut out = String::with_capacity(frame.len());
    for chunk in frame.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().map(|_| '?'));
    }
    out
}

/// Decodes the messages in a frame: a line of stdio without its newline, an SSE event's data, or an HTTP body. Never fails.
///
/// A frame that is not UTF-8 cannot be borrowed as text: it decodes as one `Invalid` message with a violation. [`Text`]
/// repairs such frames and decodes them too.
#[must_use]
pub fn decode(frame: &[u8]) -> Decoded<'_> {
    match std::str::from_utf8(frame) {
        Ok(text) => decode_text(text, Limits::default().messages_per_frame),
        Err(_) => {
            let text = Text::of(frame);
            let reason = text
                .violation
                .as_ref()
                .map_or_else(String::new, |violation| violation.message.clone());
            Decoded {
                messages: vec![Located {
                    span: 0..frame.len(),
                    message: Message::Invalid { reason },
                    violations: Vec::new(),
                }],
                batch: false,
                violations: text.violation.into_iter().collect(),
            }
        }
    }
}

fn decode_text(text: &str, most: usize) -> Decoded<'_> {
    let mut decoded = Decoded::default();
    let mut content = text;
    if let Some(rest) = content.strip_prefix('\u{feff}') {
        decoded.violations.push(Violation::new(
            Rule::ByteOrderMark,
            "the frame starts with a byte order mark",
        ));
        content = rest;
    }
    if content.ends_with('\r') {
        decoded.violations.push(Violation::new(
            Rule::CarriageReturn,
            "the line ends with CR LF instead of LF",
        ));
    }
    let content = json::trim(content);
    if content.is_empty() {
        decoded
            .violations
            .push(Violation::new(Rule::BlankLine, "a blank line"));
        return decoded;
    }
    let base = json::span_of(text, content).start;
    if content.starts_with('[') {
        batch(text, content, most, &mut decoded);
    } else {
        sequence(content, base, most, &mut decoded);
        if decoded.messages.len() > 1 {
            let message = format!("{} messages on one line", decoded.messages.len());
            decoded
                .violations
                .push(Violation::new(Rule::SeveralMessages, message));
        }
    }
    decoded
}

/// One value, or several consecutive ones.
fn sequence<'a>(content: &'a str, base: usize, most: usize, decoded: &mut Decoded<'a>) {
    let mut scanner = Scanner::new(content);
    // Nearly every frame is one message.
    decoded.messages.reserve_exact(1);
    while scanner.skip_space().peek().is_some() {
        let start = scanner.offset();
        if decoded.messages.len() == most {
            decoded
                .messages
                .push(beyond(base + start..base + content.len(), most));
            return;
        }
        let located = if scanner.peek() == Some(b'{') {
            match members(&mut scanner, MEMBERS) {
                Ok((members, _)) => {
                    let (message, violations) = of_members(scanner.since(start), &members);
                    Located {
                        span: base + start..base + scanner.offset(),
                        message,
                        violations,
                    }
                }
                Err(problem) => not_json(content, start, base, &problem.locate(content).to_string()),
            }
        } else {
            match scanner.skip_value() {
                // `12:03:04 started` starts like a number. It only counts as one if another message or nothing follows.
                Ok(()) if matches!(scanner.skip_space().peek(), None | Some(b'{')) => {
                    let value = json::trim(scanner.since(start));
                    let (message, violations) = not_a_message(value);
                    Located {
                        span: base + start..base + start + value.len(),
                        message,
                        violations,
                    }
                }
                Ok(()) => not_json(content, start, base, "text that is not JSON"),
                Err(problem) => not_json(content, start, base, &problem.locate(content).to_string()),
            }
        };
        let end = located.span.end - base;
        decoded.messages.push(located);
        if end >= content.len() {
            return;
        }
    }
}

/// The rest of a frame that cannot be parsed.
fn not_json<'a>(content: &str, start: usize, base: usize, why: &str) -> Located<'a> {
    Located {
        span: base + start..base + content.len(),
        message: Message::Invalid {
            reason: format!("not JSON: {why}"),
        },
        violations: vec![Violation::new(Rule::NotJson, format!("not JSON: {why}"))],
    }
}

fn batch<'a>(text: &'a str, content: &'a str, most: usize, decoded: &mut Decoded<'a>) {
    let Some((elements, count)) = json::array_within(content, most) else {
        let why = json::well_formed(content).map_or_else(|error| error.to_string(), |()| String::new());
        decoded
            .messages
            .push(not_json(content, 0, json::span_of(text, content).start, &why));
        return;
    };
    decoded.batch = true;
    if elements.is_empty() {
        decoded
            .violations
            .push(Violation::new(Rule::BatchEmpty, "a batch without members"));
    }
    let read = elements.last().map_or(0, |last| json::span_of(text, last).end);
    for element in elements {
        let (message, violations) = match Object::parse_within(element, MEMBERS) {
            Ok((object, _)) => of_members(element, object.members()),
            Err(_) => not_a_message(element),
        };
        decoded.messages.push(Located {
            span: json::span_of(text, element),
            message,
            violations,
        });
    }
    if count > most {
        let end = json::span_of(text, content).end;
        decoded.messages.push(beyond(read..end, most));
    }
}

/// The rest of a frame with too many messages.
fn beyond<'a>(span: std::ops::Range<usize>, most: usize) -> Located<'a> {
    let reason = format!("only the first {most} messages of a frame are read");
    Located {
        span,
        violations: vec![Violation::new(Rule::LimitExceeded, reason.clone())],
        message: Message::Invalid { reason },
    }
}

/// Valid JSON that is not an object.
fn not_a_message<'a>(value: &str) -> (Message<'a>, Vec<Violation>) {
    let reason = format!("{} instead of a JSON-RPC message", json::kind(value).name());
    let violation = Violation::new(Rule::NotAMessage, reason.clone());
    (Message::Invalid { reason }, vec![violation])
}

/// The members of a JSON-RPC message.
#[derive(Default)]
struct Parts<'a> {
    jsonrpc: Option<&'a str>,
    id: Option<&'a str>,
    method: Option<&'a str>,
    params: Option<&'a str>,
    result: Option<&'a str>,
    error: Option<&'a str>,
}

fn of_members<'a>(text: &'a str, members: &[Member<'a>]) -> (Message<'a>, Vec<Violation>) {
    let mut parts = Parts::default();
    let mut violations = Vec::new();
    for member in members {
        let place = match &*member.name {
            "jsonrpc" => &mut parts.jsonrpc,
            "id" => &mut parts.id,
            "method" => &mut parts.method,
            "params" => &mut parts.params,
            "result" => &mut parts.result,
            "error" => &mut parts.error,
            _ => continue,
        };
        if place.replace(member.value).is_some() {
            let message = format!("`{}` is given twice; the last one counts", member.name);
            violations.push(Violation::at(
                Rule::DuplicateMember,
                format!("/{}", member.name),
                message,
            ));
        }
    }
    let message = parts.classify(text, &mut violations);
    (message, violations)
}

impl<'a> Parts<'a> {
    fn classify(&self, text: &str, violations: &mut Vec<Violation>) -> Message<'a> {
        if self.jsonrpc != Some("\"2.0\"") && self.jsonrpc.and_then(json::string).as_deref() != Some("2.0") {
            let message = match self.jsonrpc {
                Some(other) => format!("`jsonrpc` is {} instead of \"2.0\"", shorten(other)),
                None => "`jsonrpc` is missing".to_owned(),
            };
            violations.push(Violation::at(Rule::JsonRpcVersion, "/jsonrpc", message));
        }
        match (self.method, self.result, self.error) {
            (Some(method), result, error) => {
                if result.is_some() || error.is_some() {
                    let message = "a message with both a method and a result or error; it counts as a call";
                    violations.push(Violation::new(Rule::MethodAndOutcome, message));
                }
                self.call(method, violations)
            }
            (None, None, None) => {
                let reason = "an object with neither `method` nor `result` nor `error`".to_owned();
                let reason = if text.len() < 3 {
                    "an empty object".to_owned()
                } else {
                    reason
                };
                violations.push(Violation::new(Rule::NotAMessage, reason.clone()));
                Message::Invalid { reason }
            }
            (None, result, error) => self.response(result, error, violations),
        }
    }

    fn call(&self, method: &'a str, violations: &mut Vec<Violation>) -> Message<'a> {
        let Some(method) = json::string(method) else {
            let reason = format!("`method` is {} instead of a string", json::kind(method).name());
            violations.push(Violation::at(Rule::MethodType, "/method", reason.clone()));
            return Message::Invalid { reason };
        };
        if let Some(params) = self.params
            && json::kind(params) != Kind::Object
        {
            let message = format!("`params` is {} instead of an object", json::kind(params).name());
            violations.push(Violation::at(Rule::ParamsType, "/params", message));
        }
        match self.id {
            Some(id) => {
                let id = read_id(id, violations);
                Message::Request {
                    id,
                    method,
                    params: self.params,
                }
            }
            None => Message::Notification {
                method,
                params: self.params,
            },
        }
    }

    fn response(
        &self,
        result: Option<&'a str>,
        error: Option<&'a str>,
        violations: &mut Vec<Violation>,
    ) -> Message<'a> {
        let id = match self.id {
            // JSON-RPC uses `null` for unreadable requests; MCP omits the id.
            Some("null") => {
                violations.push(Violation::at(Rule::IdNull, "/id", "the id of a response is null"));
                None
            }
            Some(id) => Some(read_id(id, violations)),
            None => {
                if error.is_none() {
                    let message = "a result without an id belongs to no request";
                    violations.push(Violation::new(Rule::ResponseWithoutId, message));
                }
                None
            }
        };
        let outcome = match (result, error) {
            (Some(result), None) => {
                check_result(result, violations);
                Outcome::Result(result)
            }
            // Some implementations write the unused member as null.
            (Some(result), Some("null")) => {
                both(
                    violations,
                    "both `result` and `error`; the error is null, the result counts",
                );
                check_result(result, violations);
                Outcome::Result(result)
            }
            (Some(_), Some(error)) => {
                both(violations, "both `result` and `error`; the error counts");
                Outcome::Error(RpcError::read(error, violations))
            }
            (None, error) => Outcome::Error(RpcError::read(error.unwrap_or("null"), violations)),
        };
        Message::Response { id, outcome }
    }
}

fn both(violations: &mut Vec<Violation>, message: &str) {
    violations.push(Violation::new(Rule::ResultAndError, message));
}

fn check_result(result: &str, violations: &mut Vec<Violation>) {
    if json::kind(result) != Kind::Object {
        let message = format!("`result` is {} instead of an object", json::kind(result).name());
        violations.push(Violation::at(Rule::ResultType, "/result", message));
    }
}

fn read_id(text: &str, violations: &mut Vec<Violation>) -> RequestId {
    let id = RequestId::parse(text);
    if text == "null" {
        violations.push(Violation::at(Rule::IdNull, "/id", "the id of a request is null"));
    } else if text.len() > ID_BYTES {
        let message = format!("the id has {} bytes; at most {ID_BYTES} are read", text.len());
        violations.push(Violation::at(Rule::LimitExceeded, "/id", message));
    } else if !id.is_allowed() {
        let message = format!("the id is {}, neither a string nor an integer", shorten(text));
        violations.push(Violation::at(Rule::IdType, "/id", message));
    } else if matches!(id, RequestId::Int(_))
        && !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    {
        let message = format!("the id is the integer {id} written as {}", shorten(text));
        violations.push(Violation::at(Rule::IdNumberText, "/id", message));
    }
    id
}

impl<'a> RpcError<'a> {
    /// Parses the text of an `error` of any kind.
    #[must_use]
    pub fn parse(raw: &'a str) -> Self {
        Self::read(raw, &mut Vec::new())
    }

    fn read(raw: &'a str, violations: &mut Vec<Violation>) -> Self {
        let Ok(object) = Object::parse(raw) else {
            let message = format!("`error` is {} instead of an object", json::kind(raw).name());
            violations.push(Violation::at(Rule::ErrorType, "/error", message));
            let message = json::string(raw).unwrap_or_default();
            return Self {
                raw,
                code_text: Cow::Borrowed(""),
                code: None,
                message,
                data: None,
            };
        };
        let code_text = object.get("code").unwrap_or_default();
        let mut code = json::integer(code_text);
        if code.is_none() {
            let message = match code_text {
                "" => "the error has no code".to_owned(),
                text => format!("the error's code is {} instead of an integer", shorten(text)),
            };
            violations.push(Violation::at(Rule::ErrorCode, "/error/code", message));
            code = json::string(code_text).and_then(|text| text.parse().ok());
        }
        let message = object.string("message");
        if message.is_none() {
            let text = "the error has no message that is a string";
            violations.push(Violation::at(Rule::ErrorMessage, "/error/message", text));
        }
        Self {
            raw,
            code_text: Cow::Borrowed(code_text),
            code,
            message: message.unwrap_or_default(),
            data: object.get("data"),
        }
    }
}

/// A value, truncated for a sentence.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
