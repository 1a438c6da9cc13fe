//! A scripted MCP server: `patchbay-test-server SCRIPT [ARG]` over stdio, `patchbay-test-server http BEHAVIOUR` over HTTP,
//! `https BEHAVIOUR` over TLS, `oauth VARIANT` over HTTP behind an authorization server, `models any` for a model provider.
//!
//! The script decides the handshake and the lists (`script::SCRIPTS`); the called tool selects a fault (`tools::TOOLS`), so
//! that one connection can have several. All output is literal: nothing here shares code with the client under test. Tests
//! of a crate use [`oauth::Provider`] and [`models::ModelProvider`] within their process. [`faults`] is no server: a disk that fails.
#![allow(
    clippy::disallowed_methods,
    reason = "a program of the tests or of the build, not of the product"
)]

pub mod faults;
pub mod http;
pub mod models;
pub mod oauth;
mod script;
mod tools;
mod wire;

use std::process::ExitCode;

use script::SCRIPTS;
use wire::Wire;

/// The names of all scripts over stdio, from the table that a script is started from.
pub fn scripts() -> impl Iterator<Item = &'static str> {
    SCRIPTS.iter().map(|script| script.name)
}

/// The names of all tools over stdio, from the table that a call is served from.
pub fn tools() -> impl Iterator<Item = &'static str> {
    tools::TOOLS.iter().map(|tool| tool.name)
}

/// Runs the mode named on the command line until it ends.
pub fn run(mut args: impl Iterator<Item = String>) -> ExitCode {
    let name = args.next().unwrap_or_default();
    let arg = args.next();
    let over_http = arg.as_deref().and_then(|part| match &*name {
        "http" => http::run(part, http::Wrapping::None),
        "https" => http::run(part, http::Wrapping::Tls),
        "oauth" => oauth::run(part),
        "models" => Some(models::run()),
        _ => None,
    });
    if let Some(ended) = over_http {
        return ended;
    }
    let Some(script) = SCRIPTS.iter().find(|script| script.name == name) else {
        eprintln!("usage: patchbay-test-server SCRIPT [ARG]\n\nscripts:");
        for script in SCRIPTS {
            eprintln!("  {:18} {}", script.name, script.what);
        }
        eprintln!("\ntools (arguments: {{\"n\": NUMBER}}):");
        for tool in tools::TOOLS {
            eprintln!("  {:18} {}", tool.name, tool.what);
        }
        http::usage();
        oauth::usage();
        models::usage();
        return ExitCode::from(2);
    };
    script::run(script, arg.as_deref(), &mut Wire::new())
}
