//! The reference client for benchmarks: starts or connects to a server and calls a tool many times, without recording.

use std::time::{Duration, Instant};

use futures_util::stream::{self, StreamExt as _};
use rmcp::model::CallToolRequestParams;
use rmcp::service::RunningService;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{RoleClient, ServiceExt as _};
use serde_json::json;
use tokio::process::Command;

/// The error, in words.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A connected rmcp client.
pub struct Caller {
    service: RunningService<RoleClient, ()>,
}

impl Caller {
    /// Starts the program and does the handshake.
    ///
    /// # Errors
    /// The program cannot be started or does not support MCP.
    pub async fn connect(program: &str, args: &[String]) -> Result<Self, Failure> {
        let mut command = Command::new(program);
        command.args(args);
        Ok(Self {
            service: ().serve(TokioChildProcess::new(command)?).await?,
        })
    }

    /// Connects to a server at an address, with room in its queue for every call in flight.
    ///
    /// # Errors
    /// It cannot be reached or does not support MCP.
    pub async fn connect_http(url: &str, in_flight: usize) -> Result<Self, Failure> {
        let mut config = StreamableHttpClientTransportConfig::with_uri(url);
        config.max_concurrent_requests = in_flight;
        let transport = StreamableHttpClientTransport::from_config(config);
        Ok(Self {
            service: ().serve(transport).await?,
        })
    }

    /// Calls `echo` `calls` times with `in_flight` calls open at a time, and returns the duration.
    ///
    /// # Errors
    /// A call fails.
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

    /// Calls `log_burst`, which responds after `count` log messages of `bytes` bytes.
    ///
    /// # Errors
    /// The call fails.
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
    /// The client's task was lost.
    pub async fn close(self) -> Result<(), Failure> {
        self.service.cancel().await?;
        Ok(())
    }
}
