//! Completion of an argument's values (`completion/complete`).

use patchbay_contract::*;
use patchbay_protocol::{json, methods};

use crate::{calls::Query, convert, state::Engine};

/// The maximum number of values that are returned ("at most 100", according to the specification).
const MOST: usize = 100;

pub(crate) async fn complete(
    engine: &Engine,
    params: CompletionCompleteParams,
) -> Result<CompletionCompleteResponse, CommandError> {
    let (_, connection) = engine.state.ready(&params.server_id)?;
    let operation = engine.state.begin("completion_complete", &params.argument.name);
    let query = Query {
        state: &engine.state,
        connection: &connection,
        operation,
        method: methods::COMPLETION_COMPLETE,
        params: Some(request(&params)),
        failed: "The values could not be completed",
    };
    let answered = query.result().await?;
    let text = answered.body_text();
    let result = json::Object::parse(&text).ok();
    let completion = result
        .as_ref()
        .and_then(|result| json::Object::parse(result.get("completion")?).ok());
    let member = |name| completion.as_ref().and_then(|completion| completion.get(name));
    let values: Vec<String> = member("values")
        .and_then(json::array)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|value| json::string(value).map(Into::into))
        .collect();
    Ok(CompletionCompleteResponse {
        has_more: values.len() > MOST || member("hasMore") == Some("true"),
        values: values.into_iter().take(MOST).collect(),
        total: member("total").and_then(|total| total.parse().ok()),
        seq: Some(convert::seq(answered.answer.seq)),
    })
}

fn request(params: &CompletionCompleteParams) -> String {
    let reference = match &params.reference {
        CompletionReference::Prompt { name } => {
            format!("{{\"type\":\"ref/prompt\",\"name\":{}}}", json::quote(name))
        }
        CompletionReference::Resource { uri } => {
            format!("{{\"type\":\"ref/resource\",\"uri\":{}}}", json::quote(uri))
        }
    };
    let context = match params.context.as_slice() {
        [] => String::new(),
        known => {
            let known: Vec<String> = known
                .iter()
                .map(|known| format!("{}:{}", json::quote(&known.name), json::quote(&known.value)))
                .collect();
            format!(",\"context\":{{\"arguments\":{{{}}}}}", known.join(","))
        }
    };
    format!(
        "{{\"ref\":{reference},\"argument\":{{\"name\":{},\"value\":{}}}{context}}}",
        json::quote(&params.argument.name),
        json::quote(&params.argument.value)
    )
}

#[cfg(test)]
mod tests;
