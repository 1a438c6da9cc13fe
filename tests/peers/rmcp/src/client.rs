//! The client: starts a server, calls a tool many times, records nothing. The pace to beat.

use std::time::{Duration, Instant};

use futures_util::stream::{self, StreamExt as _};
use rmcp::model::CallToolRequestParams;
use rmcp::service::RunningService;
use rmcp::transport::TokioChildProcess;
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

    /// Ends the server.
    ///
    /// # Errors
    /// If the client's task was lost.
    pub async fn close(self) -> Result<(), Failure> {
        self.service.cancel().await?;
        Ok(())
    }
}
