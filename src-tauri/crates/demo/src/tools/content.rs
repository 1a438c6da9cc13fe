//! Tools for every type of content, and for large results.

use patchbay_protocol::json;

use super::result::{Problem, ToolResult};
use super::tool::{Run, Tool};
use crate::answer::{array, object};
use crate::arguments::Arguments;
use crate::call::Call;
use crate::catalog::resources;

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "markdown",
        definition: r#"{
            "name": "markdown",
            "title": "Markdown",
            "description": "A text with headings, a table, code and a link.",
            "inputSchema": { "type": "object" },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Now(|_, _| Ok(ToolResult::text(MARKDOWN))),
    },
    Tool {
        name: "picture",
        definition: r#"{
            "name": "picture",
            "title": "Picture",
            "description": "A PNG image.",
            "inputSchema": {
                "type": "object",
                "properties": { "side": { "type": "integer", "minimum": 1, "maximum": 1024, "default": 128, "description": "Pixels" } }
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Now(picture),
    },
    Tool {
        name: "sound",
        definition: r#"{
            "name": "sound",
            "title": "Sound",
            "description": "A WAV of one tone.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "hertz": { "type": "integer", "minimum": 20, "maximum": 4000, "default": 440 },
                    "milliseconds": { "type": "integer", "minimum": 10, "maximum": 10000, "default": 400 }
                }
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Now(sound),
    },
    Tool {
        name: "every_content",
        definition: r#"{
            "name": "every_content",
            "title": "Every type of content",
            "description": "Text, an image, a sound, a resource link, an embedded text and an embedded file, in one result.",
            "inputSchema": { "type": "object" },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Now(every_content),
    },
    Tool {
        name: "large_result",
        definition: r#"{
            "name": "large_result",
            "title": "Large result",
            "description": "A result of about as many bytes as you like.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "bytes": { "type": "integer", "minimum": 1, "maximum": 100000000, "default": 1000000 },
                    "kind": { "type": "string", "enum": ["text", "json", "structured", "image"], "default": "json" }
                }
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Now(large_result),
    },
];

const MARKDOWN: &str = "# Markdown

A paragraph with **bold**, *italic*, `code` and a [link](https://modelcontextprotocol.io).

| Revision | Era |
| --- | --- |
| 2025-11-25 | legacy |
| 2026-07-28 | modern |

1. First
2. Second
   - nested

```rust
fn main() {
    println!(\"Hello\");
}
```

> A quotation.
";

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn picture(_: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    Ok(ToolResult::new().and_png(small(arguments.integer("side", 128, 1_024)?.max(1))))
}

fn sound(_: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let hertz = small(arguments.integer("hertz", 440, 4_000)?);
    let milliseconds = small(arguments.integer("milliseconds", 400, 10_000)?);
    Ok(ToolResult::new().and_wav(hertz, milliseconds))
}

fn every_content(call: &Call, _: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let contents = |uri: &str| resources::contents(call, uri).unwrap_or_default();
    Ok(ToolResult::new()
        .and_annotated_text(
            "Text, for the user first.",
            r#"{"audience":["user"],"priority":0.9}"#,
        )
        .and_png(64)
        .and_wav(440, 200)
        .and_link(resources::README, "readme", "Read me", "text/markdown")
        .and_resource(&contents(resources::INVENTORY))
        .and_resource(&contents(resources::BYTES)))
}

fn large_result(_: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let bytes = usize::try_from(arguments.integer("bytes", 1_000_000, 100_000_000)?).unwrap_or(usize::MAX);
    let kind = arguments.optional_string("kind")?;
    match kind.as_deref().unwrap_or("json") {
        "text" => Ok(ToolResult::text(&text_of(bytes))),
        "json" => Ok(ToolResult::text(&rows_of(bytes))),
        "structured" => Ok(ToolResult::text("The rows are in the structured content.")
            .with_structured(object(&[("rows", rows_of(bytes))]))),
        // Three bytes per pixel, four characters per three bytes.
        "image" => Ok(ToolResult::new().and_png((bytes / 4).isqrt().clamp(1, 5_000).try_into().unwrap_or(1))),
        other => Err(Problem::Tool(format!("{other:?} is no kind of result"))),
    }
}

/// Lines of text.
fn text_of(bytes: usize) -> String {
    let mut out = String::with_capacity(bytes + 64);
    let mut line = 1;
    while out.len() < bytes {
        out.push_str(&format!(
            "{line:08} The quick brown fox jumps over the lazy dog.\n"
        ));
        line += 1;
    }
    out
}

/// An array of rows.
fn rows_of(bytes: usize) -> String {
    let mut rows = Vec::new();
    let mut size = 2;
    while size < bytes {
        let number = rows.len();
        let row = object(&[
            ("id", (9_007_199_254_740_993_u64 + number as u64).to_string()),
            ("name", json::quote(&format!("Row {number}"))),
            ("price", format!("{}.{:02}", number % 100, number % 60)),
            ("tags", r#"["patch","bay"]"#.to_owned()),
            (
                "stock",
                object(&[
                    ("here", (number % 7 == 0).to_string()),
                    ("count", (number % 13).to_string()),
                ]),
            ),
        ]);
        size += row.len() + 1;
        rows.push(row);
    }
    array(&rows)
}
