//! `patchbay tools diff` and `patchbay tools accept`: definitions of tools that changed since they were accepted.

use patchbay_contract::{
    ChangedToolItem, DefinitionMemory, Done, ListKind, ServerId, ToolChange, ToolDefinitionDiffParams,
    ToolDefinitionDiffResponse, ToolDefinitionsAcceptParams, ToolDefinitionsGetParams,
    ToolDefinitionsGetResponse,
};
use patchbay_engine::{Engine, quoted, with_hidden_marked};
use serde::Serialize;

use super::{Ended, answer, print, refused, server::call};
use crate::{
    exit::{Exit, Problem},
    output::visible,
};

/// The differences, as `--json` prints them.
#[derive(Serialize)]
struct Differences {
    memory: DefinitionMemory,
    tools: Vec<ToolDefinitionDiffResponse>,
}

/// Prints the differences. `name`: that of the saved server.
pub(super) async fn diff(engine: &Engine, id: &ServerId, name: &str, json: bool) -> Ended {
    let usage = |problem: Problem| (Exit::Usage, problem);
    list(engine, id).await?;
    let (first, items) = changed(engine, id).await?;
    if let DefinitionMemory::Damaged { message } = first.memory {
        let words = format!(
            "{message} No tool is called until all are accepted: `patchbay tools accept --all --server {}`.",
            visible(&quoted(name))
        );
        return Err((Exit::DefinitionChanged, Problem::new("definitionChanged", words)));
    }
    if let DefinitionMemory::Nothing {} = first.memory {
        let words =
            "No definitions are remembered yet. The app remembers them when it first lists the tools.";
        Problem::notice(words).say(json);
    }
    let mut tools = Vec::new();
    for item in items {
        let params = ToolDefinitionDiffParams {
            server_id: id.clone(),
            name: item.name,
        };
        let found = call::<_, ToolDefinitionDiffResponse>(engine, "tool_definition_diff", &params).await;
        tools.push(found.map_err(usage)?);
    }
    let refused = tools.iter().any(|tool| tool.tool.refused);
    let text = match json {
        false => tools.iter().map(words).collect::<Vec<_>>().join("\n"),
        true => {
            let memory = first.memory;
            serde_json::to_string(&Differences { memory, tools })
                .map_err(|error| usage(Problem::internal("The differences could not be printed.", &error)))?
        }
    };
    if !text.is_empty() {
        answer(text).await?;
    }
    Ok(match refused {
        true => Exit::DefinitionChanged,
        false => Exit::Ok,
    })
}

/// Accepts the definitions as they are listed now.
pub(super) async fn accept(engine: &Engine, id: &ServerId, names: Option<Vec<String>>) -> Ended {
    list(engine, id).await?;
    let (found, _) = changed(engine, id).await?;
    let params = ToolDefinitionsAcceptParams {
        server_id: id.clone(),
        names,
        listing: found.listing.unwrap_or_default(),
    };
    let accepted = call::<_, Done>(engine, "tool_definitions_accept", &params).await;
    accepted
        .map(|_| Exit::Ok)
        .map_err(|problem| (Exit::Usage, problem))
}

/// Lists the tools. A list that failed at once is reported as such.
async fn list(engine: &Engine, id: &ServerId) -> Result<(), (Exit, Problem)> {
    let listed = engine.list_pages(id, ListKind::Tools).await.map_err(refused)?;
    match listed.failed {
        Some(failed) => print(failed).await,
        None => Ok(()),
    }
}

async fn changed(
    engine: &Engine,
    id: &ServerId,
) -> Result<(ToolDefinitionsGetResponse, Vec<ChangedToolItem>), (Exit, Problem)> {
    let mut items = Vec::new();
    let mut cursor = None;
    loop {
        let params = ToolDefinitionsGetParams {
            server_id: id.clone(),
            cursor,
        };
        let page = call::<_, ToolDefinitionsGetResponse>(engine, "tool_definitions_get", &params).await;
        let mut page = page.map_err(|problem| (Exit::Usage, problem))?;
        items.append(&mut page.tools);
        cursor = page.next_cursor.take();
        if cursor.is_none() {
            return Ok((page, items));
        }
    }
}

/// A tool with its changes. What a server may have put there to hide or to forge something is written out.
fn words(tool: &ToolDefinitionDiffResponse) -> String {
    let change = match (tool.tool.change, tool.tool.refused) {
        (ToolChange::Added, _) => "added",
        (ToolChange::Removed, _) => "removed",
        (ToolChange::Changed, false) => "changed",
        (ToolChange::Changed, true) => "changed, not accepted",
    };
    let mut lines = vec![format!("{}: {change}", visible(&tool.tool.name))];
    for change in &tool.changes {
        lines.push(format!("  {}", visible(&change.words)));
        for (sign, value) in [("-", &change.before), ("+", &change.after)] {
            let value = value.as_deref().map(with_hidden_marked).unwrap_or_default();
            lines.extend(value.lines().map(|line| format!("    {sign} {line}")));
        }
    }
    if tool.more {
        lines.push("  and more changes".to_owned());
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests;
