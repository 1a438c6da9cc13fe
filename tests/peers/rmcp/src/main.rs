//! The rmcp server over stdio, or over HTTP with `--http PORT`. `--tools N` adds N tools to the list, and `--resources N`
//! lists N resources.
#![allow(
    clippy::disallowed_methods,
    reason = "a program of the tests or of the build, not of the product"
)]

use std::process::ExitCode;

use patchbay_rmcp::{Answers, Server, serve, serve_http};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let ended = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--http", port] => match port.parse() {
            Ok(port) => http(port).await,
            Err(_) => return usage(),
        },
        ref offers => match server(offers) {
            Some(server) => serve(server).await,
            None => return usage(),
        },
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("patchbay-rmcp-server: {error}");
            ExitCode::from(2)
        }
    }
}

/// The server with what the arguments add to its lists; `None` for an argument that is not known.
fn server(offers: &[&str]) -> Option<Server> {
    let mut tools = 0;
    let mut resources = 0;
    for offer in offers.chunks(2) {
        match *offer {
            ["--tools", count] => tools = count.parse().ok()?,
            ["--resources", count] => resources = count.parse().ok()?,
            _ => return None,
        }
    }
    Some(Server::new(tools).with_resources(resources))
}

async fn http(port: u16) -> Result<(), String> {
    let listener = TcpListener::bind(("127.0.0.1", port))
        .await
        .map_err(|error| error.to_string())?;
    serve_http(Server::new(0), listener, Answers::Events).await
}

fn usage() -> ExitCode {
    eprintln!("usage: patchbay-rmcp-server [--tools N] [--resources N] | --http PORT");
    ExitCode::from(1)
}
