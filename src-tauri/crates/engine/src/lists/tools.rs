//! `tools/list`, and a tool's whole definition.

use patchbay_client::{Notices, Status};
use patchbay_contract::*;
use patchbay_protocol::{
    Era, Rule, methods,
    views::{ToolApp, ToolView},
};

use super::primitive::{Context, Duplicate, Entry, Primitive, declares, row_description, row_icon};
use crate::{convert, dispatch::nudges::Topic};

/// Tools.
#[derive(Debug, Clone)]
pub(crate) struct Tools;

impl Primitive for Tools {
    type Item = ToolItem;

    const COMMAND: &'static str = "tool_list";
    const METHOD: &'static str = methods::TOOLS_LIST;
    const MEMBER: &'static str = "tools";
    const NOUN: &'static str = "tools";
    const DUPLICATE: Duplicate = Duplicate {
        rule: Rule::ToolNameDuplicate,
        member: "name",
        noun: "tool",
    };
    const REMEMBERED: bool = true;

    const COMPARED: Option<ListKind> = Some(ListKind::Tools);

    fn is_declared(status: &Status) -> bool {
        declares(status, "tools")
    }

    fn changes(notices: &Notices) -> u64 {
        notices.tools_changed
    }

    fn topic(server: ServerId) -> Option<Topic> {
        Some(Topic::Tools(server))
    }

    fn row(raw: &str, index: u32, context: Context) -> Entry<ToolItem> {
        let view = ToolView::parse(raw);
        let headers_matter = context.era == Era::Modern && context.over_http;
        let excluded = (headers_matter && view.headers.is_none()).then(|| why_excluded(&view));
        Entry {
            identity: view.name.to_string(),
            item: ToolItem {
                index,
                callable: !view.name.is_empty() && excluded.is_none(),
                name: view.name.into_owned(),
                title: view.title.map(Into::into),
                description: row_description(view.description.as_deref()),
                icon: view.icons.and_then(row_icon),
                hints: ToolHints {
                    read_only: view.annotations.read_only,
                    destructive: view.annotations.destructive,
                    idempotent: view.annotations.idempotent,
                    open_world: view.annotations.open_world,
                },
                task_support: view
                    .task_support
                    .as_deref()
                    .filter(|support| {
                        *support != "forbidden" && (context.as_tasks || context.era == Era::Modern)
                    })
                    .map(str::to_owned),
                has_output_schema: view.output_schema.is_some(),
                app: ToolApp::of_tool(raw).map(|app| ToolAppItem {
                    resource_uri: app.resource_uri.map(Into::into),
                    for_models: app.for_models,
                    for_apps: app.for_apps,
                }),
                excluded,
                violations: convert::violations(&view.violations),
            },
            violations: |item| &mut item.violations,
        }
    }

    fn description(raw: &str) -> Option<String> {
        ToolView::parse(raw).description.map(Into::into)
    }
}

/// What is wrong with a tool's `x-mcp-header`: the message of the violation.
fn why_excluded(view: &ToolView<'_>) -> String {
    let found = view
        .violations
        .iter()
        .find(|violation| violation.rule == Rule::ToolHeaderInvalid);
    let why = found.map_or("an `x-mcp-header` is invalid", |violation| &violation.message);
    format!("The specification forbids calling it over HTTP: {why}.")
}
