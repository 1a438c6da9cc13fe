//! Tools that fail, each in a different way.

use patchbay_protocol::{error_codes, json};

use super::result::{Problem, ToolResult};
use super::tool::{Run, Tool};
use crate::answer::{Failure, object};
use crate::arguments::Arguments;
use crate::call::Call;

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "fail",
        definition: r#"{
            "name": "fail",
            "title": "Fail",
            "description": "A result with isError: the tool ran, and could not do it.",
            "inputSchema": {
                "type": "object",
                "properties": { "message": { "type": "string", "default": "The printer is on fire" } }
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Now(fail),
    },
    Tool {
        name: "protocol_error",
        definition: r#"{
            "name": "protocol_error",
            "title": "Protocol error",
            "description": "A JSON-RPC error instead of a result.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "code": { "type": "integer", "minimum": -32768, "maximum": 32767, "default": -32603 },
                    "message": { "type": "string", "default": "Internal error" }
                }
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Now(protocol_error),
    },
    Tool {
        name: "wrong_structure",
        definition: r#"{
            "name": "wrong_structure",
            "title": "Wrong structure",
            "description": "Breaks its promise: the structured content does not fit the output schema, or is not there. On purpose.",
            "inputSchema": {
                "type": "object",
                "properties": { "how": { "type": "string", "enum": ["mismatch", "missing"], "default": "mismatch" } }
            },
            "outputSchema": {
                "type": "object",
                "properties": {
                    "city": { "type": "string" },
                    "celsius": { "type": "number", "minimum": -90, "maximum": 60 },
                    "wind": { "type": "object", "properties": { "speed": { "type": "number" } }, "required": ["speed"] }
                },
                "required": ["city", "celsius", "wind"]
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Now(wrong_structure),
    },
];

fn fail(_: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let message = arguments
        .optional_string("message")?
        .unwrap_or("The printer is on fire".into());
    Err(Problem::Tool(message.into_owned()))
}

fn protocol_error(_: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let code = arguments
        .raw("code")
        .and_then(json::integer)
        .unwrap_or(error_codes::INTERNAL_ERROR);
    let message = arguments
        .optional_string("message")?
        .unwrap_or("Internal error".into());
    let data = object(&[("hint", json::quote("This is what you asked for"))]);
    Err(Problem::Protocol(Failure::new(code, message).with_data(data)))
}

fn wrong_structure(_: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let how = arguments.optional_string("how")?;
    Ok(match how.as_deref() {
        Some("missing") => ToolResult::text("Structured content was promised and is missing."),
        _ => ToolResult::structured(r#"{"city":42,"celsius":451,"wind":{}}"#),
    })
}
