//! `run`: from a fresh clone to the running program; a second run is quick.

use std::env;
use std::io::IsTerminal as _;

use crate::install::system::Purpose;
use crate::install::{node, system};
use crate::{Outcome, place, process};

pub(crate) fn run(args: &[String]) -> Outcome {
    let (ours, theirs) = match args.iter().position(|arg| arg == "--") {
        Some(at) => (&args[..at], &args[at + 1..]),
        None => (args, &[][..]),
    };
    if let Some(unknown) = ours.iter().find(|arg| *arg != "--browser") {
        return Err(format!(
            "`{unknown}` is not known. The program's own arguments stand after `--`."
        ));
    }
    let browser = ours.iter().any(|arg| arg == "--browser") || !has_display();
    let purpose = if browser {
        Purpose::Browser
    } else {
        Purpose::Window
    };
    node::check_version()?;
    system::ensure(purpose).map_err(|error| {
        if browser {
            error
        } else {
            format!("{error}\nOr, without a window: cargo xtask run --browser")
        }
    })?;
    node::install(&place::root().join("ui"), process::must)?;
    node::build_ui(process::must)?;
    build(browser)?;

    let name = if browser { "patchbay" } else { "patchbay-app" };
    let mut program = process::command(place::binary("debug", name));
    if let Ok(here) = env::current_dir() {
        program.current_dir(here);
    }
    if browser {
        program.arg("serve");
        if std::io::stdout().is_terminal() {
            eprintln!("Open this address in a browser on this machine (Ctrl-C ends it):");
        }
    }
    process::start(program.args(theirs))
}

fn build(browser: bool) -> Outcome {
    let mut cargo = process::cargo();
    cargo.arg("build");
    if browser {
        cargo.args(["--package", "patchbay-cli"]);
    } else {
        cargo.args(["--package", "patchbay-app"]);
    }
    process::must(&mut cargo).map_err(|error| {
        process::advised(
            error,
            &format!("If something of the system is missing: {}", system::advice()),
        )
    })
}

/// A window can be shown: always on macOS and Windows, with an X11 or Wayland display elsewhere.
fn has_display() -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(target_os = "macos", windows)) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}
