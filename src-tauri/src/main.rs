//! Binary `patchbay-app`: the window, or the built-in demo server on request.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use patchbay_app::Options;

/// Patchbay: inspector and host for the Model Context Protocol.
#[derive(Parser)]
#[command(name = "patchbay-app", version)]
struct Arguments {
    /// Use this folder for all files instead of the user's own folders.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    #[command(subcommand)]
    instead: Option<Instead>,
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
