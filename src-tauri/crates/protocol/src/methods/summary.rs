//! One-line summaries of messages, for lists.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::json::{self, Kind, Object};
use crate::message::RpcError;
use crate::views::{Cancelled, LogMessage, NotificationView, Progress};
use crate::{error_codes, meta, methods};

/// The maximum number of characters of a summary.
const LONGEST: usize = 300;

/// A summary of a request or a notification, of at most 300 characters: the tool's name, the resource's URI, the log's
/// text. None if the method alone is enough.
#[must_use]
pub fn summary(method: &str, params: Option<&str>) -> Option<String> {
    notification_summary(method, params, &NotificationView::parse(method, params))
}

/// As [`summary`], for a parsed notification.
#[must_use]
pub fn notification_summary(
    method: &str,
    params: Option<&str>,
    view: &NotificationView<'_>,
) -> Option<String> {
    let line = match view {
        NotificationView::Log(view) => Some(log_line(view)),
        NotificationView::Progress(view) => Some(progress_line(view)),
        NotificationView::Cancelled(view) => cancelled_line(view),
        NotificationView::Other if method == methods::SERVER_DISCOVER => {
            meta::member(params, meta::PROTOCOL_VERSION).and_then(text)
        }
        NotificationView::Other => of_object(method, &Object::parse(params?).ok()?),
    };
    line.map(|line| clip(&line)).filter(|line| !line.is_empty())
}

/// The summary of what is only counted: `1 message`, `12 messages`.
#[must_use]
pub fn message_count(count: usize) -> String {
    format!("{count} message{}", if count == 1 { "" } else { "s" })
}

/// A summary of an error, of at most 300 characters: its code, the code's meaning, its message.
#[must_use]
pub fn error_summary(error: &RpcError<'_>) -> String {
    let code = if error.code_text.is_empty() {
        "(no code)"
    } else {
        &*error.code_text
    };
    let meaning = error.code.and_then(error_codes::meaning);
    clip(&match (meaning, &*error.message) {
        (Some(meaning), "") => format!("{code} {meaning}"),
        (Some(meaning), message) if !message.to_lowercase().contains(&meaning.to_lowercase()) => {
            format!("{code} {meaning}: {message}")
        }
        (_, message) => format!("{code} {message}"),
    })
}

/// A text on one line, truncated.
#[must_use]
pub fn clip(line: &str) -> String {
    let is_plain = |line: &str| {
        let bytes = line.as_bytes();
        bytes.len() < LONGEST
            && !line.starts_with(' ')
            && !line.ends_with(' ')
            && bytes.iter().all(|byte| matches!(byte, b' '..=b'~'))
            && !line.contains("  ")
    };
    if is_plain(line) {
        return line.to_owned();
    }
    let mut out = String::with_capacity(line.len().min(LONGEST + 8));
    let mut count = 0;
    for character in line.chars() {
        let character = if character.is_control() { ' ' } else { character };
        if character == ' ' && (out.is_empty() || out.ends_with(' ')) {
            continue;
        }
        count += 1;
        if count >= LONGEST {
            out.push('…');
            break;
        }
        out.push(character);
    }
    out.truncate(out.trim_end().len());
    out
}

fn of_object(method: &str, params: &Object<'_>) -> Option<String> {
    let member = |name: &str| params.get(name).and_then(text);
    match method {
        methods::TOOLS_CALL | methods::PROMPTS_GET => member("name"),
        methods::RESOURCES_READ
        | methods::RESOURCES_SUBSCRIBE
        | methods::RESOURCES_UNSUBSCRIBE
        | methods::RESOURCES_UPDATED => member("uri"),
        methods::LOGGING_SET_LEVEL => member("level"),
        methods::ELICITATION_CREATE => member("message"),
        methods::ELICITATION_COMPLETE => member("elicitationId"),
        methods::TASKS_GET
        | methods::TASKS_RESULT
        | methods::TASKS_UPDATE
        | methods::TASKS_CANCEL
        | methods::TASKS_STATUS => {
            let status = member("status")
                .map(|status| format!(" {status}"))
                .unwrap_or_default();
            member("taskId").map(|id| id + &status)
        }
        methods::INITIALIZE => {
            let info = params.get("clientInfo").and_then(|info| Object::parse(info).ok());
            let part = |name: &str| {
                info.as_ref()
                    .and_then(|info| info.string(name))
                    .map(Cow::into_owned)
            };
            let parts = [member("protocolVersion"), part("name"), part("version")];
            Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
        }
        methods::COMPLETION_COMPLETE => completion_line(params),
        methods::SAMPLING_CREATE_MESSAGE => sampling_line(params),
        methods::SUBSCRIPTIONS_LISTEN | methods::SUBSCRIPTIONS_ACKNOWLEDGED => {
            let wanted = Object::parse(params.get("notifications")?).ok()?;
            let names: Vec<&str> = wanted
                .iter()
                .filter(|(_, value)| json::boolean(value) != Some(false))
                .map(|(name, _)| &**name)
                .collect();
            Some(names.join(", "))
        }
        _ => member("cursor").map(|cursor| format!("cursor {cursor}")),
    }
}

/// A string's content, any other value's JSON text.
fn text(value: &str) -> Option<String> {
    match json::kind(value) {
        // A long text is truncated before it is unescaped.
        Kind::String if value.len() > 8 * LONGEST => {
            let (start, _) = value.split_at(value.floor_char_boundary(4 * LONGEST));
            // The cut may be within an escape, which is then the last one.
            let whole = json::string(&format!("{start}\"")).map(Cow::into_owned);
            whole.or_else(|| {
                json::string(&format!("{}\"", start.get(..start.rfind('\\')?)?)).map(Cow::into_owned)
            })
        }
        Kind::String => json::string(value).map(Cow::into_owned),
        Kind::Null | Kind::Invalid => None,
        _ => Some(value.chars().take(LONGEST + 1).collect()),
    }
}

fn log_line(log: &LogMessage<'_>) -> String {
    let mut line = log.level.map_or("?", |level| level.as_str()).to_owned();
    if let Some(logger) = &log.logger {
        line.push(' ');
        line.push_str(logger);
    }
    line.push_str(": ");
    line.push_str(&log.data.and_then(text).unwrap_or_default());
    line
}

fn progress_line(progress: &Progress<'_>) -> String {
    let mut line = String::with_capacity(32);
    push_number(progress.progress, &mut line);
    if let Some(total) = progress.total {
        line.push('/');
        push_number(total, &mut line);
    }
    if let Some(message) = &progress.message {
        line.push(' ');
        line.push_str(message);
    }
    line
}

/// Most numbers are integers, which are faster to write. NaN is a missing number.
fn push_number(number: f64, line: &mut String) {
    if number.is_nan() {
        return line.push('?');
    }
    #[expect(clippy::cast_possible_truncation, reason = "compared with the number below")]
    let integer = number as i32;
    // An error means that a string cannot be written to, which does not happen.
    let _ = if f64::from(integer) == number && (integer != 0 || number.is_sign_positive()) {
        write!(line, "{integer}")
    } else {
        write!(line, "{number}")
    };
}

fn cancelled_line(cancelled: &Cancelled<'_>) -> Option<String> {
    let id = cancelled.request_id.as_ref()?;
    let reason = cancelled
        .reason
        .as_ref()
        .map(|reason| format!(": {reason}"))
        .unwrap_or_default();
    Some(format!("request {id}{reason}"))
}

fn completion_line(params: &Object<'_>) -> Option<String> {
    let of = Object::parse(params.get("ref")?).ok()?;
    let argument = Object::parse(params.get("argument")?).ok()?;
    let of = of.string("name").or_else(|| of.string("uri"))?;
    let name = argument.string("name").unwrap_or_default();
    let value = argument.string("value").unwrap_or_default();
    Some(format!("{of} {name}={value}"))
}

fn sampling_line(params: &Object<'_>) -> Option<String> {
    let messages = json::array(params.get("messages")?)?;
    let last = messages.last().and_then(|message| Object::parse(message).ok());
    let content = last.and_then(|message| Object::parse(message.get("content")?).ok());
    Some(match content.and_then(|content| text(content.get("text")?)) {
        Some(text) => text,
        None => message_count(messages.len()),
    })
}

#[cfg(test)]
mod tests;
