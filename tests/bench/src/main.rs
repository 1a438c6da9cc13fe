//! Benchmarks of the engine. `cargo xtask bench` builds it in release and runs it.
//!
//! Deliberately not here: what is measured on screen (the scripts beside `src`).
#![allow(clippy::print_stdout, reason = "the numbers go to stdout")]

mod report;
mod stdio_calls;

use std::process::ExitCode;

use patchbay_rmcp::Failure;

#[tokio::main]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let ended = match words[..] {
        ["stdio-calls"] => stdio_calls::run(false).await,
        ["stdio-calls", "--json"] => stdio_calls::run(true).await,
        // The server that both clients call: this program again.
        ["server"] => patchbay_rmcp::serve(patchbay_rmcp::Server::new(0))
            .await
            .map_err(Failure::from),
        _ => Err("usage: patchbay-bench stdio-calls [--json] | server".into()),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("patchbay-bench: {error}");
            ExitCode::from(1)
        }
    }
}
