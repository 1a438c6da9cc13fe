//! `tools/list`, and a tool's whole definition.

use patchbay_client::Notices;
use patchbay_contract::*;
use patchbay_protocol::{Era, Rule, methods, views::ToolView};

use super::{
    Context, Entry, Listing, Lists, Primitive, cache, declares, primitive::Duplicate, row_description,
};
use crate::{connections::ConnectionHandle, convert, engine::Engine, nudges::Topic};

/// Tools.
#[derive(Debug)]
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

    fn is_declared(live: &ConnectionHandle) -> bool {
        declares(live, "tools")
    }

    fn of(lists: &Lists) -> &Listing<Self> {
        &lists.tools
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
                hints: ToolHints {
                    read_only: view.annotations.read_only,
                    destructive: view.annotations.destructive,
                    idempotent: view.annotations.idempotent,
                    open_world: view.annotations.open_world,
                },
                task_support: view
                    .task_support
                    .as_deref()
                    .filter(|support| *support != "forbidden")
                    .map(str::to_owned),
                has_output_schema: view.output_schema.is_some(),
                argument_count: convert::count(view.argument_count),
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

/// What is wrong with a tool's `x-mcp-header`, in the words of the violation.
fn why_excluded(view: &ToolView<'_>) -> String {
    let found = view
        .violations
        .iter()
        .find(|violation| violation.rule == Rule::ToolHeaderInvalid);
    let why = found.map_or("an `x-mcp-header` is invalid", |violation| &violation.message);
    format!("The specification forbids calling it over HTTP: {why}.")
}

/// The output schema of a tool, if it was listed with one.
pub(crate) fn output_schema(live: &ConnectionHandle, name: &str) -> Option<String> {
    let list = live.lists.tools.current()?;
    let row = list.rows().iter().find(|row| row.item.name == name)?;
    ToolView::parse(&list.definition(row))
        .output_schema
        .map(str::to_owned)
}

pub(crate) fn tool_get(engine: &Engine, params: &ToolGetParams) -> Result<ToolGetResponse, CommandError> {
    let (list, at) = cache::find::<Tools>(engine, &params.server_id, params.index)?;
    let row = &list.rows()[at];
    let definition = list.definition(row);
    let view = ToolView::parse(&definition);
    Ok(ToolGetResponse {
        tool: row.item.clone(),
        description: view.description.as_deref().map(str::to_owned),
        input_schema_json: view.input_schema.map(str::to_owned),
        output_schema_json: view.output_schema.map(str::to_owned),
        seq: Some(convert::seq(list.seq(row))),
        definition_json: definition.into_owned(),
    })
}
