//! `tools/list`: a malformed tool is a row with violations; the rest of the list is read.

use std::borrow::Cow;
use std::collections::HashMap;

use super::page::ListPage;
use super::reader::Reader;
use super::schema;
use crate::headers::{ParamHeader, param_headers};
use crate::json::{self, Kind};
use crate::limits::TOOLS_PER_PAGE;
use crate::{Rule, Violation};

/// One page of `tools/list`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolsPage<'a> {
    /// The tools in order, including malformed ones.
    pub tools: Vec<ToolView<'a>>,
    /// The cursor of the next page.
    pub next_cursor: Option<Cow<'a, str>>,
    /// Violations of the page itself. Pointers are into the result.
    pub violations: Vec<Violation>,
}

impl<'a> ToolsPage<'a> {
    /// Parses a result.
    #[must_use]
    pub fn parse(result: &'a str) -> Self {
        let mut page = ListPage::parse(result, "tools");
        let count = page.elements.len();
        if count > TOOLS_PER_PAGE {
            let message = format!("only the first {TOOLS_PER_PAGE} of {count} tools are checked");
            page.violations
                .push(Violation::at(Rule::LimitExceeded, "/tools", message));
        }
        let mut tools: Vec<ToolView<'a>> = Vec::new();
        let mut seen: HashMap<String, usize> = HashMap::new();
        for element in page.elements.into_iter().take(TOOLS_PER_PAGE) {
            let mut tool = ToolView::parse(element);
            if !tool.name.is_empty()
                && let Some(first) = seen.insert(tool.name.to_string(), tools.len())
            {
                let message = format!("tool {first} of this page has the name {:?} too", tool.name);
                tool.violations
                    .push(Violation::at(Rule::ToolNameDuplicate, "/name", message));
            }
            tools.push(tool);
        }
        page.violations.extend(old_dialects(&mut tools));
        Self {
            tools,
            next_cursor: page.next_cursor,
            violations: page.violations,
        }
    }
}

/// One violation for all tools with schemas in an old dialect, in place of theirs: a server uses the same in all of them.
fn old_dialects(tools: &mut [ToolView<'_>]) -> Option<Violation> {
    let mut found: Option<(usize, String)> = None;
    for tool in tools {
        let Some(first) = tool.violations.iter().find(|one| one.rule == Rule::SchemaDialect) else {
            continue;
        };
        found = Some(match found {
            None => (1, first.message.clone()),
            Some((count, message)) => (count + 1, message),
        });
        tool.violations.retain(|one| one.rule != Rule::SchemaDialect);
    }
    found.map(|(count, message)| Violation::at(Rule::SchemaDialect, "/tools", in_tools(count, &message)))
}

/// A message about so many tools of a list: `19 tools: the dialect is …`.
#[must_use]
pub fn in_tools(count: usize, message: &str) -> String {
    format!("{count} {}: {message}", if count == 1 { "tool" } else { "tools" })
}

/// `nextCursor` of any list result.
#[must_use]
pub fn next_cursor(result: &str) -> (Option<Cow<'_, str>>, Option<Violation>) {
    let value = json::Object::parse(result)
        .ok()
        .and_then(|object| object.get("nextCursor"));
    match value {
        None => (None, None),
        Some(value) => match json::string(value) {
            Some(cursor) => (Some(cursor), None),
            None => {
                let message = format!("`nextCursor` is {} instead of a string", json::kind(value).name());
                (
                    None,
                    Some(Violation::at(Rule::CursorType, "/nextCursor", message)),
                )
            }
        },
    }
}

/// A server's claims about a tool. Untrusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ToolAnnotations {
    /// `readOnlyHint`
    pub read_only: Option<bool>,
    /// `destructiveHint`
    pub destructive: Option<bool>,
    /// `idempotentHint`
    pub idempotent: Option<bool>,
    /// `openWorldHint`
    pub open_world: Option<bool>,
}

/// One tool.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolView<'a> {
    /// All of it, raw.
    pub raw: &'a str,
    /// Its name; empty if missing.
    pub name: Cow<'a, str>,
    /// `title`, else `annotations.title`.
    pub title: Option<Cow<'a, str>>,
    /// Its description.
    pub description: Option<Cow<'a, str>>,
    /// `inputSchema`, raw; none if missing or not an object.
    pub input_schema: Option<&'a str>,
    /// `outputSchema`, raw; none if missing or not an object.
    pub output_schema: Option<&'a str>,
    /// The server's claims.
    pub annotations: ToolAnnotations,
    /// `execution.taskSupport`.
    pub task_support: Option<Cow<'a, str>>,
    /// `icons`, raw.
    pub icons: Option<&'a str>,
    /// Parameters that are repeated in HTTP headers (`x-mcp-header`, 2026-07-28). None if an annotation is invalid: the
    /// tool must not be called over HTTP, and a violation says why.
    pub headers: Option<Vec<ParamHeader>>,
    /// Its violations. Pointers are into the tool.
    pub violations: Vec<Violation>,
}

impl<'a> ToolView<'a> {
    /// Parses one element of `tools`.
    #[must_use]
    pub fn parse(raw: &'a str) -> Self {
        let mut reader = Reader::new(raw);
        if !reader.is_object() {
            let message = format!("the tool is {} instead of an object", json::kind(raw).name());
            return Self {
                raw,
                violations: vec![Violation::new(Rule::ToolNotObject, message)],
                ..Self::default()
            };
        }
        let name = reader.string("name");
        check_name(name.as_deref(), &mut reader);
        let mut tool = Self {
            raw,
            name: name.unwrap_or_default(),
            title: reader.string("title"),
            description: reader.string("description"),
            icons: reader.raw("icons"),
            ..Self::default()
        };
        tool.input_schema = input_schema(&mut reader);
        tool.output_schema = output_schema(&mut reader);
        let annotations = reader.object("annotations");
        let execution = reader.object("execution");
        tool.violations = reader.violations;
        if let Some(text) = annotations {
            let mut reader = Reader::at(text, "/annotations".to_owned());
            tool.annotations = ToolAnnotations {
                read_only: reader.boolean("readOnlyHint"),
                destructive: reader.boolean("destructiveHint"),
                idempotent: reader.boolean("idempotentHint"),
                open_world: reader.boolean("openWorldHint"),
            };
            tool.title = tool.title.or_else(|| reader.string("title"));
            tool.violations.append(&mut reader.violations);
        }
        if let Some(text) = execution {
            let mut reader = Reader::at(text, "/execution".to_owned());
            tool.task_support = reader.string("taskSupport");
            if let Some(other) = &tool.task_support
                && !["forbidden", "optional", "required"].contains(&&**other)
            {
                let message = format!("`taskSupport` is {other:?}, not forbidden, optional or required");
                reader.push(Rule::MemberType, "taskSupport", message);
            }
            tool.violations.append(&mut reader.violations);
        }
        for (name, schema) in [
            ("inputSchema", tool.input_schema),
            ("outputSchema", tool.output_schema),
        ] {
            if let Some(schema) = schema {
                schema::check(schema, &format!("/{name}"), &mut tool.violations);
            }
        }
        tool.headers = match param_headers(tool.input_schema.unwrap_or("{}"), "/inputSchema") {
            Ok(headers) => Some(headers),
            Err(invalid) => {
                tool.violations.extend(invalid);
                None
            }
        };
        tool
    }
}

fn check_name(name: Option<&str>, reader: &mut Reader<'_>) {
    let Some(name) = name else {
        return reader.push(Rule::ToolNameMissing, "name", "the tool has no name");
    };
    if name.is_empty() {
        return reader.push(Rule::ToolNameCharacters, "name", "the name is empty");
    }
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    if !name.bytes().all(allowed) {
        let message =
            format!("the name {name:?} has other characters than letters, digits, `_`, `-` and `.`");
        reader.push(Rule::ToolNameCharacters, "name", message);
    } else if name.len() > 128 {
        reader.push(
            Rule::ToolNameCharacters,
            "name",
            format!("the name has {} characters, more than 128", name.len()),
        );
    }
}

fn input_schema<'a>(reader: &mut Reader<'a>) -> Option<&'a str> {
    let Some(schema) = reader.raw("inputSchema") else {
        reader.push(
            Rule::ToolInputSchemaMissing,
            "inputSchema",
            "the tool has no `inputSchema`",
        );
        return None;
    };
    if json::kind(schema) != Kind::Object {
        let message = format!(
            "`inputSchema` is {} instead of an object",
            json::kind(schema).name()
        );
        reader.push(Rule::ToolInputSchemaType, "inputSchema", message);
        return None;
    }
    let kind = json::Object::parse(schema)
        .ok()
        .and_then(|object| object.get("type"));
    if kind.and_then(json::string).as_deref() != Some("object") {
        let message = match kind {
            Some(kind) => format!("the `type` of `inputSchema` is {kind} instead of \"object\""),
            None => "`inputSchema` has no `type`; it must be \"object\"".to_owned(),
        };
        reader.push(Rule::ToolInputSchemaType, "inputSchema", message);
    }
    Some(schema)
}

fn output_schema<'a>(reader: &mut Reader<'a>) -> Option<&'a str> {
    let schema = reader.raw("outputSchema")?;
    if json::kind(schema) != Kind::Object {
        let message = format!(
            "`outputSchema` is {} instead of an object",
            json::kind(schema).name()
        );
        reader.push(Rule::ToolOutputSchemaType, "outputSchema", message);
        return None;
    }
    Some(schema)
}

#[cfg(test)]
mod tests;
