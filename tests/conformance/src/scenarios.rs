//! The user actions of each scenario.

use futures_util::future::try_join_all;
use patchbay_contract::ExchangeOutcome;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{Failure, front::Front};

/// The data of a scenario besides the address.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Context<'a> {
    #[serde(borrow)]
    tool_calls: Vec<ToolCall<'a>>,
}

#[derive(Deserialize)]
struct ToolCall<'a> {
    name: String,
    #[serde(borrow)]
    arguments: &'a RawValue,
}

/// Runs a scenario to its end.
pub(crate) async fn play(front: &Front, scenario: &str, context: &str) -> Result<(), Failure> {
    front.connect().await?;
    let tools = front.tools().await?;
    match scenario {
        "initialize" | "request-metadata" | "json-schema-ref-no-deref" => Ok(()),
        "tools_call" => ok(front, "add_numbers", r#"{"a":2,"b":3}"#).await,
        "elicitation-sep1034-client-defaults" => ok(front, "test_client_elicitation_defaults", "{}").await,
        "sse-retry" => ok(front, "test_reconnection", "{}").await,
        "json-schema-2020-12-preservation" => {
            let wanted = tools.iter().find(|tool| tool.name == "json_schema_2020_12_tool");
            let tool = front.tool(wanted.ok_or("the tool is not listed")?).await?;
            let schema = tool.input_schema_json.ok_or("the tool has no input schema")?;
            ok(front, "json_schema_echo", &format!(r#"{{"schema":{schema}}}"#)).await
        }
        "sep-2322-client-request-state" => {
            // Concurrently, so that data of one could leak into another.
            let calls = tools.iter().map(|tool| ok(front, &tool.name, "{}"));
            try_join_all(calls).await.map(drop)
        }
        "http-standard-headers" => standard_headers(front).await,
        "http-custom-headers" => {
            let context: Context<'_> = serde_json::from_str(context)?;
            for call in context.tool_calls {
                ok(front, &call.name, call.arguments.get()).await?;
            }
            Ok(())
        }
        "http-invalid-tool-headers" => {
            // Including those that must not be called: the engine has to refuse.
            for tool in &tools {
                let outcome = front.call_tool(&tool.name, r#"{"region":"here"}"#).await?;
                let refused = matches!(outcome, ExchangeOutcome::NotSent { .. });
                if refused != tool.excluded.is_some() {
                    return Err(format!("`{}` ended with {outcome:?}", tool.name).into());
                }
            }
            Ok(())
        }
        // More than the handshake and the list: the server's requirements may change between requests.
        _ if scenario.starts_with("auth/") => ok(front, "test-tool", "{}").await,
        _ => Err("this scenario is not known".into()),
    }
}

/// Each method with a specific header, once.
async fn standard_headers(front: &Front) -> Result<(), Failure> {
    ok(front, "my-hyphenated-tool", "{}").await?;
    for (method, params) in [
        ("resources/list", None),
        (
            "resources/read",
            Some(r#"{"uri":"file:///path/to/file%20name.txt"}"#),
        ),
        ("prompts/list", None),
        ("prompts/get", Some(r#"{"name":"test_prompt"}"#)),
    ] {
        let outcome = front.request(method, params.map(str::to_owned)).await?;
        expect_result(method, &outcome)?;
    }
    Ok(())
}

/// Calls a tool, which must succeed.
async fn ok(front: &Front, name: &str, arguments: &str) -> Result<(), Failure> {
    expect_result(name, &front.call_tool(name, arguments).await?)
}

fn expect_result(what: &str, outcome: &ExchangeOutcome) -> Result<(), Failure> {
    match outcome {
        ExchangeOutcome::Result { .. } => Ok(()),
        other => Err(format!("`{what}` ended with {other:?}").into()),
    }
}
