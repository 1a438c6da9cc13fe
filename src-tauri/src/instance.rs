//! One window per data folder: a second start brings the first window to the front.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use tauri::Runtime;
use tauri::plugin::TauriPlugin;
use tauri_plugin_single_instance::Builder;

use crate::{is_link, shell};

/// The plugin that detects a second start. It must be the first one. None if it cannot distinguish data folders; then the
/// lock on the store does.
pub(crate) fn plugin<R: Runtime>(data_dir: Option<&Path>) -> Option<TauriPlugin<R>> {
    let builder = Builder::new().callback(|app, arguments, _cwd| {
        let links = arguments.into_iter().skip(1).filter(|argument| is_link(argument));
        shell::started_again(app, links.collect());
    });
    match data_dir {
        None => Some(builder.build()),
        Some(folder) if cfg!(target_os = "linux") => Some(builder.dbus_id(bus_name(folder)).build()),
        Some(_) => None,
    }
}

/// The session bus name of a data folder: the same for every spelling of its path.
fn bus_name(folder: &Path) -> String {
    let folder = folder
        .canonicalize()
        .or_else(|_| std::path::absolute(folder))
        .unwrap_or_else(|_| folder.to_owned());
    let mut hash = DefaultHasher::new();
    folder.hash(&mut hash);
    format!("dev.patchbay.Patchbay.F{:016x}", hash.finish())
}

#[cfg(test)]
mod tests;
