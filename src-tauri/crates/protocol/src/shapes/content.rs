//! Content: blocks, resources, annotations, icons.

use super::table::{Record, Revisions, Shape, Tag, opt, req};
use crate::Revision;

const V2025_03_26: Revision = Revision::V2025_03_26;
const V2025_06_18: Revision = Revision::V2025_06_18;
const V2025_11_25: Revision = Revision::V2025_11_25;

static ROLE: Shape = Shape::Word(&["user", "assistant"]);

pub(super) static ANNOTATIONS: Record = Record {
    name: "Annotations",
    fields: &[
        opt("audience", Shape::List(&ROLE)),
        opt("priority", Shape::Fraction),
        opt("lastModified", Shape::Text).since(V2025_06_18),
    ],
};

pub(super) static ICON: Record = Record {
    name: "Icon",
    fields: &[
        req("src", Shape::IconSource),
        opt("mimeType", Shape::Text),
        opt("sizes", Shape::List(&Shape::Text)),
        opt("theme", Shape::Word(&["light", "dark"])),
    ],
};

static TEXT: Record = Record {
    name: "TextContent",
    fields: &[
        req("text", Shape::Text),
        opt("annotations", Shape::Record(&ANNOTATIONS)),
    ],
};

static IMAGE: Record = Record {
    name: "ImageContent",
    fields: &[
        req("data", Shape::Base64),
        req("mimeType", Shape::Text),
        opt("annotations", Shape::Record(&ANNOTATIONS)),
    ],
};

static AUDIO: Record = Record {
    name: "AudioContent",
    fields: &[
        req("data", Shape::Base64),
        req("mimeType", Shape::Text),
        opt("annotations", Shape::Record(&ANNOTATIONS)),
    ],
};

static LINK: Record = Record {
    name: "ResourceLink",
    fields: &[
        req("uri", Shape::Text),
        req("name", Shape::Text),
        opt("title", Shape::Text),
        opt("description", Shape::Text),
        opt("mimeType", Shape::Text),
        opt("size", Shape::Integer),
        opt("annotations", Shape::Record(&ANNOTATIONS)),
        opt("icons", Shape::List(&Shape::Record(&ICON))).since(V2025_11_25),
    ],
};

static EMBEDDED: Record = Record {
    name: "EmbeddedResource",
    fields: &[
        req("resource", Shape::Contents),
        opt("annotations", Shape::Record(&ANNOTATIONS)),
    ],
};

static TOOL_USE: Record = Record {
    name: "ToolUseContent",
    fields: &[
        req("id", Shape::Text),
        req("name", Shape::Text),
        req("input", Shape::Object),
    ],
};

static TOOL_RESULT: Record = Record {
    name: "ToolResultContent",
    fields: &[
        req("toolUseId", Shape::Text),
        req("content", Shape::List(&Shape::Tagged(BLOCKS))),
        opt("structuredContent", Shape::Object).within(Revisions::LEGACY),
        opt("isError", Shape::Boolean),
    ],
};

/// The blocks of tool results and prompts (`ContentBlock`).
pub(super) const BLOCKS: &[Tag] = &[
    ("text", Revisions::ALL, &TEXT),
    ("image", Revisions::ALL, &IMAGE),
    ("audio", Revisions::from(V2025_03_26), &AUDIO),
    ("resource_link", Revisions::from(V2025_06_18), &LINK),
    ("resource", Revisions::ALL, &EMBEDDED),
];

/// The content of sampling messages.
pub(super) const SAMPLED: &[Tag] = &[
    ("text", Revisions::ALL, &TEXT),
    ("image", Revisions::ALL, &IMAGE),
    ("audio", Revisions::from(V2025_03_26), &AUDIO),
    ("tool_use", Revisions::from(V2025_11_25), &TOOL_USE),
    ("tool_result", Revisions::from(V2025_11_25), &TOOL_RESULT),
];

pub(super) static TEXT_CONTENTS: Record = Record {
    name: "TextResourceContents",
    fields: &[
        req("uri", Shape::Text),
        opt("mimeType", Shape::Text),
        req("text", Shape::Text),
    ],
};

pub(super) static BLOB_CONTENTS: Record = Record {
    name: "BlobResourceContents",
    fields: &[
        req("uri", Shape::Text),
        opt("mimeType", Shape::Text),
        req("blob", Shape::Base64),
    ],
};
