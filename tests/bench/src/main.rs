//! Benchmarks of the engine. `cargo xtask bench` builds this in release mode and runs it.
//!
//! Deliberately not here: measurements of the UI (the scripts beside `src`).
#![allow(
    clippy::disallowed_methods,
    reason = "a program of the tests or of the build, not of the product"
)]
#![allow(clippy::print_stdout, reason = "the numbers go to stdout")]

mod alone;
mod canned_server;
mod http_calls;
mod http_server;
mod observe;
mod report;
mod sse_stream;
mod stdio_calls;
mod store;

use std::process::ExitCode;

use patchbay_rmcp::{Answers, Failure};

#[tokio::main]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let ended = match words[..] {
        ["stdio-calls"] => stdio_calls::run(false).await,
        ["stdio-calls", "--json"] => stdio_calls::run(true).await,
        ["stdio-client", which, server, in_flight, calls] => {
            stdio_calls::client(which, server, in_flight, calls).await
        }
        ["http-calls"] => http_calls::run(false).await,
        ["http-calls", "--json"] => http_calls::run(true).await,
        ["sse-100mb"] => sse_stream::run(false).await,
        ["sse-100mb", "--json"] => sse_stream::run(true).await,
        ["observe"] => observe::run(false),
        ["observe", "--json"] => observe::run(true),
        ["store"] => store::run(false).await,
        ["store", "--json"] => store::run(true).await,
        ["sse-client", which, count, url] => sse_stream::client(which, count, url).await,
        ["http-client", which, url, in_flight, calls] => {
            http_calls::client(which, url, in_flight, calls).await
        }
        ["http-server", "json"] => http_server::serve(Answers::Json).await,
        ["http-server", "sse"] => http_server::serve(Answers::Events).await,
        // The servers that both clients call: this program again.
        ["canned-server"] => canned_server::serve(),
        ["server"] => patchbay_rmcp::serve(patchbay_rmcp::Server::new(0))
            .await
            .map_err(Failure::from),
        _ => Err(
            "usage: patchbay-bench stdio-calls | http-calls | sse-100mb | observe | store [--json]".into(),
        ),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("patchbay-bench: {error}");
            ExitCode::from(1)
        }
    }
}
