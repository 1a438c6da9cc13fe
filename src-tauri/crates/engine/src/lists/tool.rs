//! One tool of the list: its whole definition, its output schema.

use patchbay_contract::*;
use patchbay_protocol::views::ToolView;
use patchbay_traffic::OperationId;

use super::{cache, primitive::Primitive as _, tools::Tools};
use crate::{connections::ConnectionHandle, convert, state::Engine};

/// The output schema of a tool, if it was listed with one.
pub(crate) fn output_schema(live: &ConnectionHandle, name: &str) -> Option<String> {
    let list = live.lists.get::<Tools>().current()?;
    let row = list.rows().iter().find(|row| row.item.name == name)?;
    ToolView::parse(&list.definition(row))
        .output_schema
        .map(str::to_owned)
}

/// The row of a tool, if it is listed.
pub(crate) fn listed_tool(live: &ConnectionHandle, name: &str) -> Option<ToolItem> {
    let list = live.lists.get::<Tools>().current()?;
    let row = list.rows().iter().find(|row| row.item.name == name)?;
    Some(row.item.clone())
}

/// All tools of a ready server, each with its definition. They are listed first if they never were. For a turn of this operation,
/// an outdated list is read again; if that fails, the known one counts.
pub(crate) async fn tools_of(
    engine: &Engine,
    id: &ServerId,
    turn: Option<OperationId>,
) -> Result<Vec<(ToolItem, String)>, CommandError> {
    let (live, _) = engine.state.ready(id)?;
    if !Tools::is_declared(&live.status()) {
        return Ok(Vec::new());
    }
    let known = cache::Lookup {
        within: turn,
        ..cache::Lookup::default()
    };
    let lookup = cache::Lookup {
        current: turn.is_some(),
        ..known
    };
    let (_, list) = match cache::all::<Tools>(engine, id, lookup).await {
        // Why there is no newer one is in the log.
        Err(_) if turn.is_some() => cache::all::<Tools>(engine, id, known).await?,
        listed => listed?,
    };
    let rows = list.rows().iter();
    Ok(rows
        .map(|row| (row.item.clone(), list.definition(row).into_owned()))
        .collect())
}

pub(crate) async fn tool_get(
    engine: &Engine,
    params: ToolGetParams,
) -> Result<ToolGetResponse, CommandError> {
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
