//! The server that all clients call over HTTP: this program again, in a separate process.

use std::process::Stdio;

use patchbay_rmcp::{Answers, Failure, Server, serve_http};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};

/// A running server, ended on drop.
pub(crate) struct HttpServer {
    pub(crate) url: String,
    _child: Child,
}

impl HttpServer {
    pub(crate) async fn start(answers: Answers) -> Result<Self, Failure> {
        let kind = match answers {
            Answers::Json => "json",
            Answers::Events => "sse",
        };
        let mut child = Command::new(std::env::current_exe()?)
            .args(["http-server", kind])
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let stdout = child.stdout.take().ok_or("the server has no stdout")?;
        let first = BufReader::new(stdout).lines().next_line().await?;
        Ok(Self {
            url: first.ok_or("the server did not say its address")?,
            _child: child,
        })
    }
}

/// Prints its address on the first line, then serves until it is ended.
pub(crate) async fn serve(answers: Answers) -> Result<(), Failure> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    Ok(serve_http(Server::new(0), listener, answers).await?)
}
