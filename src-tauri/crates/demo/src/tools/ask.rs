//! Tools that request input: a form, a URL, a model completion, roots.

use std::borrow::Cow;

use patchbay_protocol::json::{self, Object};
use patchbay_protocol::{message, methods};

use super::result::{Problem, ToolResult};
use super::tool::{Run, Tool};
use crate::answer::object;
use crate::arguments::Arguments;
use crate::asking::{AskOutcome, ask};
use crate::call::Call;

/// The tool.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ask {
    Form,
    Twice,
    Page,
    Model,
    Roots,
}

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "ask_form",
        definition: r#"{
            "name": "ask_form",
            "title": "Ask with a form",
            "description": "Elicitation: asks the user to fill in a form with every type of field.",
            "inputSchema": { "type": "object" },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Ask(Ask::Form),
    },
    Tool {
        name: "ask_twice",
        definition: r#"{
            "name": "ask_twice",
            "title": "Ask twice",
            "description": "Two elicitations, one after the other: in 2026-07-28 two rounds, with a `requestState`.",
            "inputSchema": { "type": "object" },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Ask(Ask::Twice),
    },
    Tool {
        name: "ask_page",
        definition: r#"{
            "name": "ask_page",
            "title": "Ask to visit a page",
            "description": "Elicitation by URL: asks the user to go to example.com.",
            "inputSchema": { "type": "object" },
            "annotations": { "readOnlyHint": true, "openWorldHint": true }
        }"#,
        run: Run::Ask(Ask::Page),
    },
    Tool {
        name: "ask_model",
        definition: r#"{
            "name": "ask_model",
            "title": "Ask the model",
            "description": "Sampling: asks the client's model.",
            "inputSchema": {
                "type": "object",
                "properties": { "question": { "type": "string", "default": "What is the capital of France?" } }
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": true }
        }"#,
        run: Run::Ask(Ask::Model),
    },
    Tool {
        name: "list_roots",
        definition: r#"{
            "name": "list_roots",
            "title": "List roots",
            "description": "Asks the client which folders the server may work in.",
            "inputSchema": { "type": "object" },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Ask(Ask::Roots),
    },
];

const FORM: &str = r#"{"type":"object","properties":{"name":{"type":"string","title":"Name","minLength":1},"email":{"type":"string","format":"email"},"age":{"type":"integer","minimum":0,"maximum":150,"default":42},"score":{"type":"number"},"newsletter":{"type":"boolean","default":true},"colour":{"type":"string","enum":["red","green","blue"],"default":"green"},"size":{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}]},"tags":{"type":"array","items":{"type":"string","enum":["a","b","c"]}}},"required":["name"]}"#;
const NAME_FORM: &str = r#"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}"#;
const SURE_FORM: &str = r#"{"type":"object","properties":{"sure":{"type":"boolean","default":true}}}"#;
const ELICITATION_ID: &str = "demo-page";

impl Ask {
    pub(super) async fn run(self, call: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
        match self {
            Self::Form => {
                let answer = form(call, "form", "Tell the demo server about yourself.", FORM).await?;
                Ok(ToolResult::text(&format!("You answered {answer}")))
            }
            Self::Twice => twice(call).await,
            Self::Page => page(call).await,
            Self::Model => model(call, arguments).await,
            Self::Roots => {
                let roots = asked(
                    call,
                    "roots",
                    methods::ROOTS_LIST,
                    ("roots", None),
                    "{}".to_owned(),
                )
                .await?;
                Ok(ToolResult::text(&format!("Your roots: {roots}")))
            }
        }
    }
}

/// The client's result, or why the tool cannot continue.
async fn asked(
    call: &Call,
    key: &'static str,
    method: &'static str,
    needs: (&str, Option<&str>),
    params: String,
) -> Result<String, Problem> {
    match ask(call, key, method, needs, params).await {
        Ok(AskOutcome::Answered(result)) => Ok(result),
        Ok(AskOutcome::Refused(why)) => Err(Problem::Tool(format!("The client would not: {why}"))),
        Ok(AskOutcome::Pending(question)) => Err(Problem::Input(question)),
        Err(failure) => Err(Problem::Protocol(failure)),
    }
}

async fn form(call: &Call, key: &'static str, message: &str, schema: &str) -> Result<String, Problem> {
    let params = object(&[
        ("mode", "\"form\"".to_owned()),
        ("message", json::quote(message)),
        ("requestedSchema", schema.to_owned()),
    ]);
    let needs = ("elicitation", Some("form"));
    asked(call, key, methods::ELICITATION_CREATE, needs, params).await
}

async fn twice(call: &Call) -> Result<ToolResult, Problem> {
    let first = form(call, "name", "What is your name?", NAME_FORM).await?;
    let content = member(&first, "content");
    let name = content
        .and_then(|content| Object::parse(content).ok()?.string("name"))
        .unwrap_or(Cow::Borrowed("nobody"));
    let question = format!("Are you sure that your name is {name}?");
    let second = form(call, "sure", &question, SURE_FORM).await?;
    Ok(ToolResult::text(&format!(
        "First you answered {first}, then {second}"
    )))
}

async fn page(call: &Call) -> Result<ToolResult, Problem> {
    let mut members = vec![
        ("mode", "\"url\"".to_owned()),
        ("message", "\"Please look at this page.\"".to_owned()),
        ("url", "\"https://example.com/\"".to_owned()),
    ];
    // The modern era has no such id.
    if !call.is_modern() {
        members.push(("elicitationId", json::quote(ELICITATION_ID)));
    }
    let needs = ("elicitation", Some("url"));
    let answer = asked(call, "page", methods::ELICITATION_CREATE, needs, object(&members)).await?;
    if !call.is_modern() {
        let params = object(&[("elicitationId", json::quote(ELICITATION_ID))]);
        let done = message::notification(methods::ELICITATION_COMPLETE, Some(&params));
        call.shared.send(done).await;
    }
    Ok(ToolResult::text(&format!("You answered {answer}")))
}

async fn model(call: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let question = arguments
        .optional_string("question")?
        .unwrap_or(Cow::Borrowed("What is the capital of France?"));
    let content = object(&[("type", "\"text\"".to_owned()), ("text", json::quote(&question))]);
    let said = object(&[("role", "\"user\"".to_owned()), ("content", content)]);
    let params = object(&[
        ("messages", format!("[{said}]")),
        ("systemPrompt", "\"Answer in one sentence.\"".to_owned()),
        ("maxTokens", "100".to_owned()),
    ]);
    let needs = ("sampling", None);
    let answer = asked(call, "model", methods::SAMPLING_CREATE_MESSAGE, needs, params).await?;
    Ok(ToolResult::text(&format!("Your model answered {answer}")))
}

fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    Object::parse(object).ok()?.get(name)
}
