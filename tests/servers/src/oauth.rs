//! A protected MCP server and two authorization servers, each on a port of the loopback: as the program
//! `patchbay-test-server oauth VARIANT`, or in the process of a test ([`Provider`]).
//!
//! The program prints the server's address as the first line of stdout and serves until stdin ends. The variant
//! ([`Variant`]) alone decides how it misbehaves. Where a browser would show a page with a button, consent is given
//! immediately. `/seen` at any of the ports lists the requests with their tokens, by number; `/secrets` lists every secret
//! value, `/where` the address of each server. Deliberately not here: login and consent for a real browser
//! (`tests/peers/oidc.mjs`).

mod authorization;
mod enterprise;
mod ledger;
mod metadata;
mod provider;
mod resource;
mod servers;
mod tokens;
mod variants;

use std::{io::Write as _, process::ExitCode};

use crate::http::until_unwanted;
pub use provider::Provider;
use variants::VARIANTS;
pub use variants::Variant;

/// The names of variants, for the usage message.
pub(crate) fn usage() {
    eprintln!("\nvariants of a protected server (`oauth VARIANT`):");
    for (_, name, what) in VARIANTS {
        eprintln!("  {name:20} {what}");
    }
}

/// Serves until stdin ends; `None` if there is no such variant.
pub(crate) fn run(variant: &str) -> Option<ExitCode> {
    Some(match serve(Variant::named(variant)?) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(1)
        }
    })
}

fn serve(variant: Variant) -> std::io::Result<()> {
    let provider = Provider::start(variant)?;
    writeln!(std::io::stdout(), "{}", provider.address())?;
    until_unwanted()
}
