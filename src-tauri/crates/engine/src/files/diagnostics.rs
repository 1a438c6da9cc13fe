//! Diagnostics: `tracing` events and panics are written to a file in the state folder, with the level of `PATCHBAY_LOG`. No
//! bodies, no secrets.

use std::{fs::File, path::Path, sync::Mutex};

use patchbay_config::{FileError, make_parent, open_private};
use tracing_subscriber::EnvFilter;

use crate::{dispatch::error::EngineError, files::folders::Folders};

/// A larger log is renamed to `patchbay.log.old` at the next start.
const LARGEST_LOG: u64 = 5 * 1024 * 1024;

/// Writes diagnostics of this process to `patchbay.log`. Programs call it once, before
/// [`Engine::open`](crate::Engine::open). `PATCHBAY_LOG` is a level (`debug`) or levels per crate
/// (`patchbay_client=trace,info`); the default is `info`.
///
/// Only programs that run for long, and whose stderr nobody may see, keep diagnostics. A one-shot command and `patchbay chat`
/// do not: they leave no file behind, and stderr, which their user sees, says that and where something panicked.
///
/// # Errors
/// The folder or the file cannot be created. A program can continue without diagnostics.
pub fn start_diagnostics(data_dir: Option<&Path>) -> Result<(), EngineError> {
    let path = Folders::locate(data_dir)?.log;
    make_parent(&path)?;
    if path.metadata().is_ok_and(|log| log.len() > LARGEST_LOG) {
        let _ = std::fs::rename(&path, path.with_extension("log.old"));
    }
    let file =
        open_private(&path, File::options().create(true).append(true)).map_err(|source| FileError {
            step: "Opening the log",
            path,
            source,
        })?;
    let filter = EnvFilter::try_from_env("PATCHBAY_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(Mutex::new(file));
    // A subscriber is already set; it is kept.
    let _ = log.try_init();
    record_panics();
    Ok(())
}

/// Logs the location of every panic, also in a task that nobody awaits. Its message is not logged: a library may quote the
/// value that caused the panic, which may be secret.
fn record_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, thread = std::thread::current().name(), "a panic");
        before(panic);
    }));
}

#[cfg(test)]
mod tests;
