//! Our own diagnostics: `tracing` and panics to a file in the state folder, level by `PATCHBAY_LOG`. No bodies, no secrets.

use std::{fs::File, path::Path, sync::Mutex};

use patchbay_config::{FileError, make_parent};
use tracing_subscriber::EnvFilter;

use crate::{dispatch::error::EngineError, files::folders::Folders};

/// A log that has grown beyond this is put aside as `patchbay.log.old` at the next start.
const LARGEST_LOG: u64 = 5 * 1024 * 1024;

/// Sends diagnostics of this process to `patchbay.log`: for programs, once, before [`Engine::open`](crate::Engine::open).
/// `PATCHBAY_LOG` names the level (`debug`) or levels per crate (`patchbay_client=trace,info`); `info` if it is not set.
///
/// # Errors
/// If the folder or the file cannot be made. A program goes on without diagnostics then.
pub fn start_diagnostics(data_dir: Option<&Path>) -> Result<(), EngineError> {
    let path = Folders::locate(data_dir)?.log;
    make_parent(&path)?;
    if path.metadata().is_ok_and(|log| log.len() > LARGEST_LOG) {
        let _ = std::fs::rename(&path, path.with_extension("log.old"));
    }
    let file = File::options()
        .create(true)
        .append(true)
        .open(&path)
        .map_err(|source| FileError {
            step: "Opening the log",
            path,
            source,
        })?;
    let filter = EnvFilter::try_from_env("PATCHBAY_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(Mutex::new(file));
    // Somebody set one up already: that one stays.
    let _ = log.try_init();
    record_panics();
    Ok(())
}

/// Writes where a panic happened to the diagnostics, also one in a task that nobody waits for. Not its message: a panic of a
/// library may quote what it choked on, and that may be secret.
fn record_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, thread = std::thread::current().name(), "a panic");
        before(panic);
    }));
}
