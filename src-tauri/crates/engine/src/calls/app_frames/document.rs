//! The document of an app: the HTML in a response to `resources/read`, with a script that reports its console.

use base64::Engine as _;
use patchbay_contract::{CommandError, ErrorCode};
use patchbay_protocol::json::{self, Object};
use patchbay_protocol::views::APP_MIME_TYPE;

use crate::{dispatch::error::fail, traffic_views::bodies::BASE64};

/// The maximum size of an app's HTML, in bytes.
pub(super) const MOST_HTML: usize = 8 * 1024 * 1024;

/// Reports the console, errors and violations of the policy to the page.
const REPORTER: &str = include_str!("reporter.js");

fn refused(why: impl Into<String>) -> CommandError {
    fail(ErrorCode::InvalidParams, why)
}

/// The item of `contents` with the app, raw: the one with its URI, otherwise the first of its MIME type.
pub(super) fn content_of<'a>(frame: &'a str, uri: &str) -> Result<&'a str, CommandError> {
    let contents = Object::parse(frame)
        .ok()
        .and_then(|message| Object::parse(message.get("result")?).ok())
        .and_then(|result| json::array(result.get("contents")?));
    let contents = contents.ok_or_else(|| refused("The response has no `contents`, so there is no app."))?;
    let named = |item: &&&str| string(item, "uri").is_some_and(|its| its == uri);
    let typed = |item: &&&str| string(item, "mimeType").is_some_and(|its| is_app_type(&its));
    let found = contents
        .iter()
        .find(named)
        .or_else(|| contents.iter().find(typed));
    found
        .copied()
        .ok_or_else(|| refused(format!("The contents have no item with the URI {uri}.")))
}

/// The HTML of an item of `contents`.
pub(super) fn html_of(content: &str) -> Result<String, CommandError> {
    let mime_type = string(content, "mimeType").unwrap_or_default();
    if !is_app_type(&mime_type) {
        return Err(refused(format!(
            "The resource has the MIME type {mime_type:?}; that of an app is {APP_MIME_TYPE:?}."
        )));
    }
    let html = match (string(content, "text"), string(content, "blob")) {
        (Some(text), _) => text,
        (None, Some(blob)) => decoded(&blob)?,
        (None, None) => return Err(refused("The resource has neither `text` nor `blob`.")),
    };
    if html.len() > MOST_HTML {
        return Err(refused(format!(
            "The app has {} bytes of HTML; at most {MOST_HTML} are shown. It is in the traffic log.",
            html.len()
        )));
    }
    if html.trim().is_empty() {
        return Err(refused("The app is empty."));
    }
    Ok(html)
}

fn decoded(blob: &str) -> Result<String, CommandError> {
    let digits: String = blob.chars().filter(|c| !c.is_whitespace()).collect();
    let bytes = BASE64
        .decode(digits)
        .map_err(|error| refused(format!("The `blob` of the app is not base64: {error}.")))?;
    String::from_utf8(bytes).map_err(|_| refused("The `blob` of the app is not UTF-8 text."))
}

fn string(object: &str, name: &str) -> Option<String> {
    Some(Object::parse(object).ok()?.string(name)?.into_owned())
}

/// Whether this is the MIME type of an app, however it is spaced, quoted and capitalized.
fn is_app_type(mime_type: &str) -> bool {
    let bare: String = mime_type
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '"')
        .collect();
    bare.eq_ignore_ascii_case(APP_MIME_TYPE)
}

/// The HTML with the reporter after its doctype, so that it runs first and the page stays in standards mode.
pub(super) fn with_reporter(html: &str) -> String {
    let at = end_of_doctype(html);
    format!("{}<script>{REPORTER}</script>{}", &html[..at], &html[at..])
}

/// Where the doctype ends; 0 if there is none.
fn end_of_doctype(html: &str) -> usize {
    let mut rest = html.trim_start_matches('\u{feff}').trim_start();
    while let Some(comment) = rest.strip_prefix("<!--") {
        let Some((_, after)) = comment.split_once("-->") else {
            return 0;
        };
        rest = after.trim_start();
    }
    let is_doctype = rest
        .get(..9)
        .is_some_and(|start| start.eq_ignore_ascii_case("<!doctype"));
    match rest.find('>') {
        Some(end) if is_doctype => html.len() - rest.len() + end + 1,
        _ => 0,
    }
}
