//! Simple tools with simple schemas.

use patchbay_protocol::json;

use super::result::{Problem, ToolResult};
use super::tool::{Run, Tool};
use crate::answer::{array, object};
use crate::arguments::Arguments;
use crate::call::Call;
use crate::catalog::resources;

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "greet",
        definition: r#"{
            "name": "greet",
            "title": "Greet somebody",
            "description": "Says hello in one of a few languages.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "name": { "type": "string", "description": "Whom to greet", "minLength": 1, "examples": ["Ada"] },
                    "language": {
                        "type": "string",
                        "enum": ["English", "Deutsch", "Français", "日本語"],
                        "default": "English"
                    }
                },
                "required": ["name"]
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Now(greet),
    },
    Tool {
        name: "about",
        definition: r#"{
            "name": "about",
            "title": "About this server",
            "description": "Takes no arguments.",
            "inputSchema": { "type": "object", "additionalProperties": false },
            "annotations": { "readOnlyHint": true, "idempotentHint": true, "openWorldHint": false }
        }"#,
        run: Run::Now(about),
    },
    Tool {
        name: "add",
        definition: r#"{
            "name": "add",
            "title": "Add two numbers",
            "description": "Integers of any size are added exactly.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "a": { "type": "number", "description": "First number" },
                    "b": { "type": "number", "description": "Second number" }
                },
                "required": ["a", "b"]
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Now(add),
    },
    Tool {
        name: "convert",
        definition: r#"{
            "name": "convert",
            "title": "Convert a temperature",
            "description": "Answers with structured content that fits its output schema.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "value": { "type": "number", "default": 20 },
                    "from": { "type": "string", "enum": ["celsius", "fahrenheit", "kelvin"], "default": "celsius" },
                    "to": { "type": "string", "enum": ["celsius", "fahrenheit", "kelvin"], "default": "fahrenheit" }
                },
                "required": ["value", "from", "to"]
            },
            "outputSchema": {
                "type": "object",
                "properties": {
                    "value": { "type": "number" },
                    "unit": { "type": "string", "enum": ["celsius", "fahrenheit", "kelvin"] }
                },
                "required": ["value", "unit"]
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Now(convert),
    },
    Tool {
        name: "search",
        definition: r#"{
            "name": "search",
            "title": "Search the resources",
            "description": "Finds resources of this server. Answers with links and a structured list.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "query": { "type": "string", "description": "Part of a name or title; empty finds all", "maxLength": 200 },
                    "limit": { "type": "integer", "minimum": 1, "maximum": 50, "default": 10 },
                    "kinds": {
                        "type": "array",
                        "description": "Only of these kinds",
                        "items": { "type": "string", "enum": ["text", "image", "audio", "application"] },
                        "uniqueItems": true
                    },
                    "exact": { "type": "boolean", "default": false }
                },
                "required": ["query"]
            },
            "outputSchema": {
                "type": "object",
                "properties": {
                    "total": { "type": "integer", "minimum": 0 },
                    "hits": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": { "uri": { "type": "string", "format": "uri" }, "name": { "type": "string" } },
                            "required": ["uri", "name"]
                        }
                    }
                },
                "required": ["total", "hits"]
            },
            "annotations": { "readOnlyHint": true }
        }"#,
        run: Run::Now(search),
    },
];

fn greet(_: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let name = arguments.string("name")?;
    let language = arguments.optional_string("language")?;
    Ok(ToolResult::text(&match language.as_deref() {
        None | Some("English") => format!("Hello, {name}!"),
        Some("Deutsch") => format!("Hallo {name}!"),
        Some("Français") => format!("Bonjour, {name} !"),
        Some("日本語") => format!("{name}さん、こんにちは！"),
        Some(other) => return Err(Problem::Tool(format!("No greeting in {other}"))),
    }))
}

fn about(call: &Call, _: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let count = super::all().count();
    let text = format!(
        "The Patchbay demo server, speaking {} to you, with {count} tools to try.",
        call.revision
    );
    Ok(ToolResult::text(&text))
}

fn add(_: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let (a, b) = (arguments.number("a")?, arguments.number("b")?);
    let exact = |name: &str| arguments.raw(name).and_then(|text| text.parse::<i128>().ok());
    let sum = match exact("a").zip(exact("b")).and_then(|(a, b)| a.checked_add(b)) {
        Some(sum) => sum.to_string(),
        None => (a + b).to_string(),
    };
    Ok(ToolResult::text(&sum))
}

fn convert(_: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let value = arguments.number("value")?;
    let kelvin = match &*arguments.string("from")? {
        "celsius" => value + 273.15,
        "fahrenheit" => (value + 459.67) * 5.0 / 9.0,
        "kelvin" => value,
        other => return Err(Problem::Tool(format!("{other} is not a unit"))),
    };
    if kelvin < 0.0 {
        return Err(Problem::Tool(format!("{value} is below absolute zero")));
    }
    let unit = arguments.string("to")?;
    let value = match &*unit {
        "celsius" => kelvin - 273.15,
        "fahrenheit" => kelvin * 9.0 / 5.0 - 459.67,
        "kelvin" => kelvin,
        other => return Err(Problem::Tool(format!("{other} is not a unit"))),
    };
    let value = (value * 100.0).round() / 100.0;
    Ok(ToolResult::structured(&object(&[
        ("value", value.to_string()),
        ("unit", json::quote(&unit)),
    ])))
}

fn search(_: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let query = arguments.string("query")?.to_lowercase();
    let limit = arguments.integer("limit", 10, 50)?;
    let exact = arguments.boolean("exact")?;
    let kinds: Vec<_> = arguments
        .array("kinds")?
        .into_iter()
        .filter_map(json::string)
        .collect();
    let fits = |name: &str| {
        if exact {
            name == query
        } else {
            name.contains(&*query)
        }
    };
    let hits: Vec<_> = resources::ALL
        .iter()
        .filter(|one| fits(&one.name.to_lowercase()) || fits(&one.title.to_lowercase()))
        .filter(|one| kinds.is_empty() || kinds.iter().any(|kind| one.mime_type.starts_with(&**kind)))
        .take(usize::try_from(limit).unwrap_or(usize::MAX))
        .collect();
    let list: Vec<String> = hits
        .iter()
        .map(|hit| object(&[("uri", json::quote(hit.uri)), ("name", json::quote(hit.name))]))
        .collect();
    let structured = object(&[("total", hits.len().to_string()), ("hits", array(&list))]);
    let links = hits
        .iter()
        .fold(ToolResult::structured(&structured), |result, hit| {
            result.and_link(hit.uri, hit.name, hit.title, hit.mime_type)
        });
    Ok(links)
}
