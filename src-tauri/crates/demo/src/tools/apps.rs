//! A tool whose result is shown by an app (MCP Apps), and a tool that only the app may call.

use super::concurrent::ConcurrentTool;
use super::tool::{Run, Tool};

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "show_counter",
        definition: r#"{
            "name": "show_counter",
            "title": "Show the counter",
            "description": "Shows demo://counter in an app that can change it.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "step": {
                        "type": "integer", "minimum": 1, "maximum": 1000, "default": 1,
                        "description": "How much the app adds with each click"
                    }
                }
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
            "_meta": { "ui": { "resourceUri": "ui://demo/counter" } }
        }"#,
        run: Run::Concurrent(ConcurrentTool::ShowCounter),
    },
    Tool {
        name: "add_to_counter",
        definition: r#"{
            "name": "add_to_counter",
            "title": "Add to the counter",
            "description": "For the app of `show_counter` only.",
            "inputSchema": {
                "type": "object",
                "properties": { "step": { "type": "integer", "minimum": 1, "maximum": 1000, "default": 1 } }
            },
            "annotations": { "readOnlyHint": false, "destructiveHint": false, "openWorldHint": false },
            "_meta": { "ui": { "resourceUri": "ui://demo/counter", "visibility": ["app"] } }
        }"#,
        run: Run::Concurrent(ConcurrentTool::AddToCounter),
    },
];
