//! The server: an echo for counting calls, a call that never ends, a burst of log notifications, a JSON result of any size,
//! any number of tools and resources; subscriptions, with a tool that changes something and one that ends them.
#![allow(
    deprecated,
    reason = "logging is deprecated in 2026-07-28 and still what a burst is made of"
)]

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, JsonObject,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, Resource, ServerCapabilities, ServerConfig,
    SubscriptionFilter, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler, ServiceExt as _};
use serde_json::{Value, json};

use crate::listeners::Listeners;

/// What the server offers.
#[derive(Debug, Clone)]
pub struct Server {
    /// Tools that only fill the list.
    fillers: usize,
    /// Resources in folders; without any, the server does not declare resources.
    resources: usize,
    listeners: Listeners,
}

impl Server {
    /// Adds `fillers` tools to the list, which echo as well.
    pub fn new(fillers: usize) -> Self {
        Self {
            fillers,
            resources: 0,
            listeners: Listeners::default(),
        }
    }

    /// Lists `count` resources, 50 in a folder and 20 folders in a folder.
    #[must_use]
    pub fn with_resources(self, count: usize) -> Self {
        Self {
            resources: count,
            ..self
        }
    }
}

fn resource(at: usize) -> Resource {
    let name = format!("entry_{at:05}.json");
    let uri = format!("file:///archive/year_{}/month_{}/{name}", at / 1000, at / 50 % 20);
    Resource::new(uri, name)
        .with_description("An entry of the archive.")
        .with_mime_type("application/json")
}

/// Serves stdio until the client closes it.
///
/// # Errors
/// The error of rmcp when the handshake or the transport fails.
pub async fn serve(server: Server) -> Result<(), String> {
    let running = server
        .serve(rmcp::transport::stdio())
        .await
        .map_err(|error| error.to_string())?;
    running
        .waiting()
        .await
        .map(|_| ())
        .map_err(|error| error.to_string())
}

fn schema(properties: &Value) -> Arc<JsonObject> {
    let mut schema = JsonObject::new();
    schema.insert("type".into(), json!("object"));
    schema.insert("properties".into(), properties.clone());
    Arc::new(schema)
}

fn number(request: &CallToolRequestParams, name: &str) -> u64 {
    request
        .arguments
        .as_ref()
        .and_then(|arguments| arguments.get(name))
        .and_then(Value::as_u64)
        .unwrap_or(0)
}

/// JSON text of about `bytes` bytes: an array of records, like a search result.
fn records(bytes: u64) -> String {
    let mut text = String::from("[");
    let mut id = 0_u64;
    while (text.len() as u64) < bytes {
        if id > 0 {
            text.push(',');
        }
        text.push_str(&format!(
            r#"{{"id":{id},"name":"record {id}","price":{}.10,"tags":["alpha","beta","gamma"],"nested":{{"left":true,"right":null}}}}"#,
            id % 1000
        ));
        id += 1;
    }
    text.push(']');
    text
}

impl ServerHandler for Server {
    /// Only tools are supported: other subscriptions are not granted.
    fn accepted_subscription_filter(&self, _requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.listeners.listen(context).await
    }

    fn get_info(&self) -> ServerConfig {
        let tools = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_logging();
        ServerConfig::new(if self.resources > 0 {
            tools.enable_resources().build()
        } else {
            tools.build()
        })
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(
            (0..self.resources).map(resource).collect(),
        ))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut tools = vec![
            Tool::new(
                "echo",
                "Answers the text it was given.",
                schema(&json!({"text": {"type": "string"}})),
            ),
            Tool::new(
                "log_burst",
                "Sends `count` log notifications, each with a text of `bytes` bytes if given, then answers.",
                schema(&json!({"count": {"type": "integer"}, "bytes": {"type": "integer"}})),
            ),
            Tool::new("hang", "Never answers.", schema(&json!({}))),
            Tool::new(
                "records",
                "Answers JSON text of about `bytes` bytes.",
                schema(&json!({"bytes": {"type": "integer"}})),
            )
            // The benchmarks call it with one click.
            .with_annotations(ToolAnnotations::new().read_only(true)),
            Tool::new(
                "change_tools",
                "Tells all who listen that the list of tools changed; waits for somebody who does.",
                schema(&json!({})),
            ),
            Tool::new(
                "end_listening",
                "Ends what all listen to; waits for somebody who does.",
                schema(&json!({})),
            ),
        ];
        tools.extend((0..self.fillers).map(|at| {
            let about = format!("The tool of number {at}: it echoes, like all the others of its kind, and stands here to be found.");
            let properties = json!({"text": {"type": "string", "description": "What to echo"}, "count": {"type": "integer"}});
            Tool::new(format!("filler_{at:04}"), about, schema(&properties))
        }));
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let text = match &*request.name {
            "log_burst" => {
                let count = number(&request, "count");
                burst(&context, count, number(&request, "bytes")).await?;
                format!("{count} notifications sent")
            }
            "hang" => std::future::pending().await,
            "change_tools" => {
                self.listeners.change().await;
                "told".to_owned()
            }
            "end_listening" => {
                self.listeners.end().await;
                "ended".to_owned()
            }
            "records" => records(number(&request, "bytes")),
            _ => {
                let text = request
                    .arguments
                    .as_ref()
                    .and_then(|arguments| arguments.get("text"));
                text.and_then(Value::as_str).unwrap_or_default().to_owned()
            }
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}

async fn burst(context: &RequestContext<RoleServer>, count: u64, bytes: u64) -> Result<(), ErrorData> {
    use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
    let padding = "x".repeat(usize::try_from(bytes).unwrap_or(0));
    for at in 0..count {
        let data = json!({"step": at, "text": format!("line {at} of a burst{padding}")});
        let param = LoggingMessageNotificationParam::new(LoggingLevel::Info, data).with_logger("burst");
        context
            .peer
            .notify_logging_message(param)
            .await
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    }
    Ok(())
}
