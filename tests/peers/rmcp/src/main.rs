//! The rmcp server over stdio. `--tools N` lists N tools instead of the usual ones.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let tools = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Some(0),
        ["--tools", count] => count.parse().ok(),
        _ => None,
    };
    let Some(tools) = tools else {
        eprintln!("usage: patchbay-rmcp-server [--tools N]");
        return ExitCode::from(1);
    };
    match patchbay_rmcp::serve(patchbay_rmcp::Server::new(tools)).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("patchbay-rmcp-server: {error}");
            ExitCode::from(2)
        }
    }
}
