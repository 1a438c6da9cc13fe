//! One-line summaries of results, for lists of messages.

use std::borrow::Cow;

use patchbay_protocol::{
    json::{self, Object},
    methods,
};

/// Larger results, in bytes, have no summary: reading one must cost nothing beside recording it.
const SUMMED_UP: usize = 16 * 1024;
/// Of a text with more bytes the beginning is enough.
const LINE: usize = 600;

/// A summary of a result, of at most 300 characters: the first text of a tool, how many items a list has, what was answered.
/// `tool` is the tool that was called. None if the method alone is enough, and for large results.
pub(crate) fn summary(method: &str, tool: Option<&str>, result: &str) -> Option<String> {
    if result.len() > SUMMED_UP {
        return None;
    }
    let object = Object::parse(result).ok()?;
    let member = |name: &str| object.string(name).map(Cow::into_owned);
    let line = match method {
        methods::TOOLS_CALL | methods::TASKS_RESULT => of_tool(tool, &object),
        methods::TOOLS_LIST => counted(&object, "tools", ["tool", "tools"]),
        methods::PROMPTS_LIST => counted(&object, "prompts", ["prompt", "prompts"]),
        methods::RESOURCES_LIST => counted(&object, "resources", ["resource", "resources"]),
        methods::RESOURCES_TEMPLATES_LIST => counted(&object, "resourceTemplates", ["template", "templates"]),
        methods::TASKS_LIST => counted(&object, "tasks", ["task", "tasks"]),
        methods::ROOTS_LIST => counted(&object, "roots", ["root", "roots"]),
        methods::PROMPTS_GET => counted(&object, "messages", ["message", "messages"]),
        methods::RESOURCES_READ => {
            let contents = json::array_within(object.get("contents")?, 1)?.0;
            json::member(contents.first()?, "mimeType")
                .and_then(json::string)
                .map(Cow::into_owned)
        }
        methods::INITIALIZE | methods::SERVER_DISCOVER => of_server(&object),
        methods::ELICITATION_CREATE => member("action"),
        methods::SAMPLING_CREATE_MESSAGE => member("model"),
        methods::TASKS_GET => member("status"),
        _ => None,
    };
    line.map(|line| methods::clip(&line))
        .filter(|line| !line.is_empty())
}

/// `echo: Echo: hello`, `take_picture: image/png`, `start: task 7 working`.
fn of_tool(tool: Option<&str>, object: &Object<'_>) -> Option<String> {
    let content = object
        .get("content")
        .and_then(|content| json::array_within(content, 1));
    let first = content.as_ref().and_then(|(items, _)| items.first()).copied();
    let said = first.and_then(of_block).or_else(|| {
        let kind = object.string("resultType")?;
        (kind != "complete").then(|| kind.into_owned())
    });
    match (tool, said) {
        (Some(tool), Some(said)) => Some(format!("{tool}: {said}")),
        (tool, said) => said.or_else(|| tool.map(str::to_owned)),
    }
}

/// The text of a content block, else its type.
fn of_block(block: &str) -> Option<String> {
    let block = Object::parse(block).ok()?;
    let text = block.string("text").map(|text| {
        let text = text.trim_start();
        text.split_at(text.floor_char_boundary(LINE)).0.to_owned()
    });
    text.filter(|text| !text.is_empty()).or_else(|| {
        let named = block.string("mimeType").or_else(|| block.string("uri"));
        named.or_else(|| block.string("type")).map(Cow::into_owned)
    })
}

/// `17 tools`, `1 tool, more follow`.
fn counted(object: &Object<'_>, name: &str, [one, many]: [&str; 2]) -> Option<String> {
    let (_, count) = json::array_within(object.get(name)?, 0)?;
    let more = object.string("nextCursor").map_or("", |_| ", more follow");
    Some(format!("{count} {}{more}", if count == 1 { one } else { many }))
}

/// `2025-11-25 everything 1.0`, or the revisions that a server supports.
fn of_server(object: &Object<'_>) -> Option<String> {
    let info = object.get("serverInfo").and_then(|info| Object::parse(info).ok());
    let part = |name: &str| {
        info.as_ref()
            .and_then(|info| info.string(name))
            .map(Cow::into_owned)
    };
    let revisions = object
        .get("supportedVersions")
        .and_then(json::array)
        .map(|versions| {
            let versions = versions.into_iter().filter_map(json::string);
            versions.collect::<Vec<_>>().join(", ")
        });
    let revision = object
        .string("protocolVersion")
        .map(Cow::into_owned)
        .or(revisions);
    let parts = [revision, part("name"), part("version")];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests;
