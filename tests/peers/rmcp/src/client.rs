//! The client: starts a server or goes to one at an address, calls a tool many times, records nothing. The pace to beat.

use std::time::{Duration, Instant};

use futures_util::stream::{self, StreamExt as _};
use rmcp::model::CallToolRequestParams;
use rmcp::service::RunningService;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{RoleClient, ServiceExt as _};
use serde_json::json;
use tokio::process::Command;

/// What went wrong, in words.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A connected rmcp client.
pub struct Caller {
    service: RunningService<RoleClient, ()>,
}

impl Caller {
    /// Starts the program and does the handshake.
    ///
    /// # Errors
    /// If the program cannot be started or does not speak MCP.
    pub async fn connect(program: &str, args: &[String]) -> Result<Self, Failure> {
        let mut command = Command::new(program);
        command.args(args);
        Ok(Self {
            service: ().serve(TokioChildProcess::new(command)?).await?,
        })
    }

    /// Connects to a server at an address, with a place in its queue for every call in flight.
    ///
    /// # Errors
    /// If it cannot be reached or does not speak MCP.
    pub async fn connect_http(url: &str, in_flight: usize) -> Result<Self, Failure> {
        let mut config = StreamableHttpClientTransportConfig::with_uri(url);
        config.max_concurrent_requests = in_flight;
        let transport = StreamableHttpClientTransport::from_config(config);
        Ok(Self {
            service: ().serve(transport).await?,
        })
    }

    /// Calls `echo` `calls` times with `in_flight` of them open at a time, and says how long it took.
    ///
    /// # Errors
    /// If a call fails.
    pub async fn echo(&self, calls: usize, in_flight: usize) -> Result<Duration, Failure> {
        let begun = Instant::now();
        let mut answers = stream::iter(0..calls)
            .map(|at| {
                let mut arguments = serde_json::Map::new();
                arguments.insert("text".into(), json!(format!("call {at}")));
                self.service
                    .call_tool(CallToolRequestParams::new("echo").with_arguments(arguments))
            })
            .buffer_unordered(in_flight);
        while let Some(answer) = answers.next().await {
            answer?;
        }
        Ok(begun.elapsed())
    }

    /// Calls `log_burst`, whose answer comes after `count` log messages of `bytes` bytes.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn burst(&self, count: usize, bytes: usize) -> Result<(), Failure> {
        let mut arguments = serde_json::Map::new();
        arguments.insert("count".into(), json!(count));
        arguments.insert("bytes".into(), json!(bytes));
        let call = CallToolRequestParams::new("log_burst").with_arguments(arguments);
        self.service.call_tool(call).await?;
        Ok(())
    }

    /// Ends the server.
    ///
    /// # Errors
    /// If the client's task was lost.
    pub async fn close(self) -> Result<(), Failure> {
        self.service.cancel().await?;
        Ok(())
    }
}
