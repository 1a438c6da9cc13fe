//! A few prompts.

use patchbay_protocol::Revision;
use patchbay_protocol::json::{self, Object};

use super::{completion, media, resources};
use crate::answer::{Answer, Failure, array, object};
use crate::call::Call;
use crate::paging;

const GREETING: &str = r#"{"name":"greeting","title":"Greeting","description":"Asks for a greeting",
    "icons":[{"src":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAMUlEQVR42mNgGDRApL/tPymYIs0YhlDVAEKA9i6gmRdo6wKK0wEugyhKkRQlaYYhBQBSiS2oV4vGQwAAAABJRU5ErkJggg==","mimeType":"image/png","sizes":["16x16"]}],
    "arguments":[
    {"name":"name","description":"Whom to greet","required":true},
    {"name":"style","description":"How; completion knows some"}]}"#;
const REVIEW: &str = r#"{"name":"review","title":"Code review","description":"Asks for a review of some code","arguments":[
    {"name":"code","title":"Code","description":"What to review","required":true},
    {"name":"language","description":"Its language; completion knows some"},
    {"name":"framework","description":"Its framework; completion looks at the language"}]}"#;
const TOUR: &str = r#"{"name":"tour","title":"Tour","description":"Takes no arguments; has messages of every type of content"}"#;
const NUMBERS: &str = r#"{"name":"numbers","title":"Numbers","description":"Completion knows more values than one response may hold","arguments":[
    {"name":"number","description":"One of a thousand"}]}"#;
const LONG: &str = r#"{"name":"long","title":"Long conversation","description":"Up to 10,000 messages, the first of 1 MB","arguments":[
    {"name":"messages","description":"How many; 1,000 if not given"}]}"#;
const HOSTILE: &str = r#"{"name":"hostile","title":"<img src=x onerror=\"window.hostile = true\">","description":"<script>window.hostile = true</script> Text that must stay text","arguments":[
    {"name":"<b>markup</b>","description":"[link](javascript:window.hostile=true)"}]}"#;

/// `prompts/list`
pub(crate) fn list(params: Option<&str>) -> Result<Answer, Failure> {
    let items: Vec<String> = [GREETING, REVIEW, TOUR, NUMBERS, LONG, HOSTILE]
        .iter()
        .map(|text| {
            let mut out = String::new();
            json::compact(text, &mut out);
            out
        })
        .collect();
    paging::page("prompts", &items, params)
}

/// `prompts/get`
pub(crate) fn get(call: &Call, params: Option<&str>) -> Result<Answer, Failure> {
    let params = params.and_then(|text| Object::parse(text).ok());
    let params = params.ok_or_else(|| Failure::params("`params` is missing"))?;
    let name = params
        .string("name")
        .ok_or_else(|| Failure::params("`name` is missing"))?;
    let arguments = params.get("arguments").and_then(|text| Object::parse(text).ok());
    let argument = |name: &str| arguments.as_ref().and_then(|arguments| arguments.string(name));
    let demanded =
        |name: &str| argument(name).ok_or_else(|| Failure::params(format!("Missing argument: {name}")));
    let (description, messages) = match &*name {
        "greeting" => {
            let style = argument("style").unwrap_or("warm".into());
            let text = format!("Please write a {style} greeting for {}.", demanded("name")?);
            ("A greeting", vec![message("user", &text_block(&text))])
        }
        "review" => {
            let language = argument("language").unwrap_or_default();
            let framework = argument("framework")
                .map(|one| format!(" Mind that it uses {one}."))
                .unwrap_or_default();
            let text = format!(
                "Please review this code.{framework}\n\n```{language}\n{}\n```",
                demanded("code")?
            );
            ("A code review", vec![message("user", &text_block(&text))])
        }
        "tour" => ("Every type of content", tour(call)),
        "numbers" => {
            let text = format!(
                "Tell me about {}.",
                argument("number").unwrap_or("any number".into())
            );
            ("A question", vec![message("user", &text_block(&text))])
        }
        "long" => {
            let count = argument("messages").and_then(|count| count.parse().ok());
            ("A long conversation", long(count.unwrap_or(1_000).min(10_000)))
        }
        "hostile" => ("<script>window.hostile = true</script>", hostile()),
        _ => return Err(Failure::params(format!("Unknown prompt: {name}"))),
    };
    Ok(Answer::new()
        .with("description", json::quote(description))
        .with("messages", array(&messages)))
}

fn tour(call: &Call) -> Vec<String> {
    let mut messages = vec![
        message("user", &text_block("What is in this picture?")),
        message("user", &data_block("image", "image/png", &media::png(64))),
        message("assistant", &text_block("A cable on a gradient.")),
        message(
            "user",
            &object(&[
                ("type", "\"resource\"".to_owned()),
                (
                    "resource",
                    resources::contents(call, resources::README).unwrap_or_default(),
                ),
            ]),
        ),
    ];
    if call.revision >= Revision::V2025_03_26 {
        messages.push(message(
            "user",
            &data_block("audio", "audio/wav", &media::wav(440, 200)),
        ));
    }
    if call.revision >= Revision::V2025_06_18 {
        let link = [
            ("type", "resource_link"),
            ("uri", resources::INVENTORY),
            ("name", "inventory"),
        ];
        let link: Vec<(&str, String)> = link
            .iter()
            .map(|(name, value)| (*name, json::quote(value)))
            .collect();
        messages.push(message("user", &object(&link)));
    }
    messages
}

/// More than a viewer may render at once.
fn long(count: usize) -> Vec<String> {
    let roles = ["user", "assistant"].into_iter().cycle();
    let texts = (1..=count).map(|number| match number {
        1 => "A line of a long text.\n".repeat(45_000),
        _ => format!("Message {number} of {count}."),
    });
    roles
        .zip(texts)
        .map(|(role, text)| message(role, &text_block(&text)))
        .collect()
}

/// What a careless viewer would run, and what it cannot show.
fn hostile() -> Vec<String> {
    let markup = "<script>window.hostile = true</script><img src=x onerror=\"window.hostile = true\">";
    let broken = object(&[
        ("type", json::quote("image")),
        ("mimeType", json::quote("image/png")),
        ("data", json::quote("not base64!")),
    ]);
    vec![
        message("user", &text_block(markup)),
        message("assistant", &broken),
        message(
            "<b>narrator</b>",
            &text_block("The role is none of the specification."),
        ),
        message("user", r#"{"type":"hologram","depth":3}"#),
    ]
}

fn message(role: &str, content: &str) -> String {
    object(&[("role", json::quote(role)), ("content", content.to_owned())])
}

fn text_block(text: &str) -> String {
    object(&[("type", "\"text\"".to_owned()), ("text", json::quote(text))])
}

fn data_block(kind: &str, mime_type: &str, bytes: &[u8]) -> String {
    let members = [
        ("type", kind),
        ("mimeType", mime_type),
        ("data", &media::base64(bytes)),
    ];
    let members: Vec<(&str, String)> = members
        .iter()
        .map(|(name, value)| (*name, json::quote(value)))
        .collect();
    object(&members)
}

/// The completions of a prompt's argument, given the other arguments.
pub(crate) fn values(prompt: &str, argument: &str, language: &str) -> Option<&'static [&'static str]> {
    match (prompt, argument) {
        ("numbers", "number") => Some(completion::numbers()),
        ("greeting", "style") => Some(&["warm", "formal", "rhyming", "pirate"]),
        ("review", "language") => Some(&["c", "go", "java", "javascript", "python", "rust", "typescript"]),
        ("review", "framework") => Some(completion::frameworks(language)),
        ("greeting" | "review" | "numbers" | "long" | "hostile", _) => Some(&[]),
        _ => None,
    }
}
