//! Tools that demonstrate schemas. They return their arguments, exactly as received.

use patchbay_protocol::json::{self, Object};

use super::result::{Problem, ToolResult};
use super::tool::{Run, Tool};
use crate::arguments::Arguments;
use crate::call::Call;

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "echo_json",
        definition: r#"{
            "name": "echo_json",
            "title": "Echo any JSON",
            "description": "Gives back its arguments byte for byte: key order, number text and duplicate keys included.",
            "inputSchema": {
                "type": "object",
                "properties": { "value": { "title": "Value", "description": "Any JSON value" } }
            },
            "annotations": { "readOnlyHint": true, "idempotentHint": true, "openWorldHint": false }
        }"#,
        run: Run::Now(echo),
    },
    Tool {
        name: "book_trip",
        definition: r#"{
            "name": "book_trip",
            "title": "Book a trip",
            "description": "Nested objects, arrays of objects, formats, defaults, a nullable field. Books nothing.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "traveller": {
                        "type": "object",
                        "title": "Traveller",
                        "properties": {
                            "name": { "type": "string", "minLength": 2 },
                            "email": { "type": "string", "format": "email" },
                            "passport": { "type": ["string", "null"], "pattern": "^[A-Z0-9]{6,9}$", "default": null },
                            "address": {
                                "type": "object",
                                "properties": {
                                    "street": { "type": "string" },
                                    "city": { "type": "string" },
                                    "country": { "type": "string", "minLength": 2, "maxLength": 2 }
                                },
                                "required": ["city"]
                            }
                        },
                        "required": ["name", "email"]
                    },
                    "legs": {
                        "type": "array",
                        "minItems": 1,
                        "maxItems": 8,
                        "items": {
                            "type": "object",
                            "properties": {
                                "from": { "type": "string" },
                                "to": { "type": "string" },
                                "date": { "type": "string", "format": "date" },
                                "cabin": { "type": "string", "enum": ["economy", "premium", "business"], "default": "economy" }
                            },
                            "required": ["from", "to", "date"]
                        }
                    },
                    "bags": { "type": "integer", "minimum": 0, "maximum": 5, "default": 1 },
                    "refundable": { "type": "boolean", "default": false }
                },
                "required": ["traveller", "legs"]
            },
            "annotations": { "destructiveHint": false, "idempotentHint": false }
        }"#,
        run: Run::Now(book_trip),
    },
    Tool {
        name: "draw_shape",
        definition: r##"{
            "name": "draw_shape",
            "title": "Draw a shape",
            "description": "A oneOf of objects that a constant tells apart.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "shape": {
                        "oneOf": [
                            {
                                "title": "Circle",
                                "type": "object",
                                "properties": { "kind": { "const": "circle" }, "radius": { "type": "number", "exclusiveMinimum": 0 } },
                                "required": ["kind", "radius"]
                            },
                            {
                                "title": "Rectangle",
                                "type": "object",
                                "properties": { "kind": { "const": "rectangle" }, "width": { "type": "number" }, "height": { "type": "number" } },
                                "required": ["kind", "width", "height"]
                            },
                            {
                                "title": "Polygon",
                                "type": "object",
                                "properties": {
                                    "kind": { "const": "polygon" },
                                    "points": {
                                        "type": "array",
                                        "minItems": 3,
                                        "items": { "type": "array", "prefixItems": [{ "type": "number" }, { "type": "number" }], "items": false }
                                    }
                                },
                                "required": ["kind", "points"]
                            }
                        ]
                    },
                    "color": { "type": "string", "pattern": "^#[0-9a-f]{6}$", "default": "#1ec8b4" }
                },
                "required": ["shape"]
            },
            "annotations": { "readOnlyHint": true }
        }"##,
        run: Run::Now(echo),
    },
    Tool {
        name: "notify",
        definition: r#"{
            "name": "notify",
            "title": "Notify somebody",
            "description": "An anyOf of a string, an object and a list. Notifies nobody.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "to": {
                        "anyOf": [
                            { "title": "One address", "type": "string", "format": "email" },
                            { "title": "A team", "type": "object", "properties": { "team": { "type": "string" } }, "required": ["team"] },
                            { "title": "Several addresses", "type": "array", "items": { "type": "string", "format": "email" }, "minItems": 2 }
                        ]
                    },
                    "subject": { "type": "string" },
                    "priority": {
                        "oneOf": [
                            { "const": 1, "title": "Low" },
                            { "const": 2, "title": "Normal" },
                            { "const": 3, "title": "High" }
                        ],
                        "default": 2
                    }
                },
                "required": ["to"]
            },
            "annotations": { "readOnlyHint": false, "destructiveHint": false, "openWorldHint": true }
        }"#,
        run: Run::Now(echo),
    },
    Tool {
        name: "count_tree",
        definition: r##"{
            "name": "count_tree",
            "title": "Count a tree",
            "description": "A recursive schema: a node has children that are nodes.",
            "inputSchema": {
                "type": "object",
                "properties": { "root": { "$ref": "#/$defs/node" } },
                "required": ["root"],
                "$defs": {
                    "node": {
                        "type": "object",
                        "properties": {
                            "label": { "type": "string" },
                            "children": { "type": "array", "items": { "$ref": "#/$defs/node" } }
                        },
                        "required": ["label"]
                    }
                }
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"##,
        run: Run::Now(count_tree),
    },
    Tool {
        name: "create_user",
        definition: r##"{
            "name": "create_user",
            "title": "Create a user",
            "description": "An allOf of two definitions, and a condition: administrators need a reason. Creates nobody.",
            "inputSchema": {
                "type": "object",
                "allOf": [
                    { "$ref": "#/$defs/person" },
                    { "$ref": "#/$defs/account" },
                    {
                        "if": { "properties": { "role": { "const": "admin" } }, "required": ["role"] },
                        "then": { "properties": { "reason": { "type": "string", "minLength": 5 } }, "required": ["reason"] }
                    }
                ],
                "$defs": {
                    "person": {
                        "type": "object",
                        "properties": { "name": { "type": "string" }, "birthday": { "type": "string", "format": "date" } },
                        "required": ["name"]
                    },
                    "account": {
                        "type": "object",
                        "properties": {
                            "login": { "type": "string", "pattern": "^[a-z][a-z0-9_]*$" },
                            "role": { "type": "string", "enum": ["reader", "writer", "admin"], "default": "reader" }
                        },
                        "required": ["login"]
                    }
                }
            },
            "annotations": { "destructiveHint": false }
        }"##,
        run: Run::Now(echo),
    },
    Tool {
        name: "update_profile",
        definition: r#"{
            "name": "update_profile",
            "title": "Update a profile",
            "description": "Every way to say that a value may be null, and what absent, null and empty look like. Updates nothing.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "nickname": { "type": ["string", "null"], "default": null },
                    "age": { "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "null" }], "default": null },
                    "theme": { "enum": ["light", "dark", null], "default": null },
                    "tags": { "type": "array", "items": { "type": "string" }, "default": [] },
                    "newsletter": { "type": "boolean" }
                }
            },
            "annotations": { "idempotentHint": true }
        }"#,
        run: Run::Now(echo),
    },
    Tool {
        name: "formats",
        definition: r#"{
            "name": "formats",
            "title": "All formats",
            "description": "A string of each format.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "date": { "type": "string", "format": "date" },
                    "time": { "type": "string", "format": "time" },
                    "date_time": { "type": "string", "format": "date-time" },
                    "duration": { "type": "string", "format": "duration" },
                    "email": { "type": "string", "format": "email" },
                    "uri": { "type": "string", "format": "uri" },
                    "uuid": { "type": "string", "format": "uuid" },
                    "hostname": { "type": "string", "format": "hostname" },
                    "ipv4": { "type": "string", "format": "ipv4" },
                    "regex": { "type": "string", "format": "regex" },
                    "password": { "type": "string", "format": "password", "writeOnly": true },
                    "text": { "type": "string", "description": "Several\nlines", "default": "one\ntwo", "contentMediaType": "text/markdown" }
                }
            },
            "annotations": { "readOnlyHint": true }
        }"#,
        run: Run::Now(echo),
    },
    Tool {
        name: "big_integers",
        definition: r#"{
            "name": "big_integers",
            "title": "Big integers",
            "description": "Numbers that a double cannot hold. They come back exactly as they were written.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "id": { "type": "integer", "default": 9007199254740993, "minimum": 0, "maximum": 18446744073709551615 },
                    "balance": { "type": "integer", "default": -123456789012345678901234567890 },
                    "ratio": { "type": "number", "default": 1.10 }
                },
                "required": ["id"]
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Now(echo),
    },
    Tool {
        name: "label",
        definition: r#"{
            "name": "label",
            "title": "Label something",
            "description": "Maps with free names: additionalProperties and patternProperties.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "labels": { "type": "object", "additionalProperties": { "type": "string" }, "maxProperties": 10 },
                    "limits": {
                        "type": "object",
                        "patternProperties": { "^max_": { "type": "integer" }, "^is_": { "type": "boolean" } },
                        "additionalProperties": false
                    },
                    "extra": { "type": "object" }
                },
                "required": ["labels"],
                "additionalProperties": false
            },
            "annotations": { "readOnlyHint": true }
        }"#,
        run: Run::Now(echo),
    },
];

/// The arguments, exactly as received.
fn echo(_: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    Ok(ToolResult::text(arguments.text()))
}

fn book_trip(_: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let traveller = arguments
        .raw("traveller")
        .and_then(|text| Object::parse(text).ok());
    let traveller = traveller.ok_or_else(|| "`traveller` must be an object".to_owned())?;
    let name = traveller
        .string("name")
        .ok_or_else(|| "`traveller.name` is missing".to_owned())?;
    let legs = arguments.array("legs")?;
    if legs.is_empty() {
        return Err(Problem::Tool("A trip has at least one leg".to_owned()));
    }
    let mut lines = vec![format!("# Trip of {name}"), String::new()];
    for leg in legs {
        let leg = Object::parse(leg).map_err(|_| "Each of `legs` must be an object".to_owned())?;
        let part = |name: &str| {
            leg.string(name)
                .ok_or_else(|| format!("`{name}` of a leg is missing"))
        };
        lines.push(format!(
            "- **{}**: {} → {}",
            part("date")?,
            part("from")?,
            part("to")?
        ));
    }
    Ok(ToolResult::text(&lines.join("\n")))
}

fn count_tree(_: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let root = arguments
        .raw("root")
        .ok_or_else(|| "`root` is missing".to_owned())?;
    // An explicit stack: the caller controls the depth.
    let mut rest = vec![root];
    let mut count = 0_usize;
    while let Some(text) = rest.pop() {
        let node = Object::parse(text).map_err(|_| "A node must be an object".to_owned())?;
        count += 1;
        rest.extend(node.get("children").and_then(json::array).unwrap_or_default());
    }
    Ok(ToolResult::text(&format!("{count} nodes")))
}
