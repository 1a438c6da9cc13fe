//! The tools: a table of definitions and handlers. One file per family.

mod apps;
mod ask;
mod concurrent;
mod content;
mod plain;
mod result;
mod shapes;
mod tool;
mod trouble;

use patchbay_protocol::json::{self, Object};

use crate::answer::{Answer, Failure};
use crate::arguments::Arguments;
use crate::call::Call;
use crate::paging;
use result::{Problem, ToolResult};
use tool::{Run, Tool};

/// All tools in the order of the list. `surprise` is listed only after `toggle_tool`.
fn all() -> impl Iterator<Item = &'static Tool> {
    [
        plain::TOOLS,
        shapes::TOOLS,
        concurrent::TOOLS,
        content::TOOLS,
        trouble::TOOLS,
        ask::TOOLS,
        apps::TOOLS,
    ]
    .into_iter()
    .flatten()
}

fn find(name: &str) -> Option<&'static Tool> {
    all().find(|tool| tool.name == name)
}

/// `tools/list`
pub(crate) fn list(call: &Call, params: Option<&str>) -> Result<Answer, Failure> {
    let surprise = call.shared.state().surprise;
    let items: Vec<String> = all()
        .filter(|tool| surprise || tool.name != concurrent::SURPRISE)
        .map(|tool| {
            let mut text = String::with_capacity(tool.definition.len());
            json::compact(tool.definition, &mut text);
            text
        })
        .collect();
    paging::page("tools", &items, params)
}

/// Whether a `tools/call` may take time.
pub(crate) fn takes_time(params: Option<&str>) -> bool {
    let name = params
        .and_then(|text| Object::parse(text).ok())
        .and_then(|params| params.string("name"));
    let tool = name.and_then(|name| find(&name));
    tool.is_some_and(|tool| matches!(tool.run, Run::Concurrent(_) | Run::Ask(_)))
}

/// `tools/call`
pub(crate) async fn call(call: &Call, params: Option<&str>) -> Result<Answer, Failure> {
    let params = params.and_then(|text| Object::parse(text).ok());
    let params = params.ok_or_else(|| Failure::params("`params` is missing"))?;
    let name = params
        .string("name")
        .ok_or_else(|| Failure::params("`name` is missing"))?;
    let tool = find(&name).filter(|tool| tool.name != concurrent::SURPRISE || call.shared.state().surprise);
    let tool = tool.ok_or_else(|| Failure::params(format!("Unknown tool: {name}")))?;
    let result = match Arguments::new(params.get("arguments")) {
        Err(problem) => Err(Problem::Tool(problem)),
        Ok(arguments) => match &tool.run {
            Run::Now(run) => run(call, &arguments),
            Run::Concurrent(tool) => tool.run(call, &arguments).await,
            Run::Ask(ask) => ask.run(call, &arguments).await,
        },
    };
    match result {
        Ok(result) => Ok(result.into_answer(call.revision)),
        Err(Problem::Tool(message)) => Ok(ToolResult::text(&message).failed().into_answer(call.revision)),
        Err(Problem::Protocol(failure)) => Err(failure),
        Err(Problem::Input(question)) => Ok(question.into_answer(call)),
    }
}

#[cfg(test)]
mod tests;
