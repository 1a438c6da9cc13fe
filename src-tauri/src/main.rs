//! Binary `patchbay-app`: the window, or the built-in demo server on request.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use patchbay_app::Options;

/// Patchbay: inspector and host for the Model Context Protocol.
#[derive(Parser)]
#[command(name = "patchbay-app", version, subcommand_precedence_over_arg = true)]
struct Arguments {
    /// Use this folder for all files instead of the user's own folders.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Links that add a server, after a review: patchbay://add?name=N&url=U (or command=, config=).
    #[arg(value_name = "LINK", value_parser = link)]
    links: Vec<String>,
    #[command(subcommand)]
    instead: Option<Instead>,
}

/// The desktop starts us with what it was told to open.
fn link(text: &str) -> Result<String, String> {
    match patchbay_app::is_link(text) {
        true => Ok(text.to_owned()),
        false => Err("not a link that begins with patchbay:".to_owned()),
    }
}

#[derive(Subcommand)]
enum Instead {
    /// Run the built-in demo server over stdin and stdout, without a window.
    DemoServer,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.instead {
        // Before GTK is initialized: a server process needs no display.
        Some(Instead::DemoServer) => demo_server(),
        None => patchbay_app::run(Options {
            data_dir: arguments.data_dir,
            links: arguments.links,
        }),
    }
}

fn demo_server() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match runtime.and_then(|runtime| runtime.block_on(patchbay_demo::run_stdio())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("The demo server ended: {error}");
            ExitCode::FAILURE
        }
    }
}
