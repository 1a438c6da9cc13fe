//! Saving files: the page starts a download of its own data, and the user chooses the path.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tauri::webview::DownloadEvent;
use tauri::{Manager, Runtime, Url, Webview};
use tauri_plugin_dialog::{DialogExt, MessageDialogKind};

/// What the user can do about a file that was not written.
const NEXT: &str = "Check that its folder can be written and the disk has space, then save it again.";

/// The files that are being saved, by the address of their data.
#[derive(Debug, Default)]
pub(crate) struct Saves(Mutex<HashMap<Url, Save>>);

/// WebKit does not overwrite a file, so it writes a new one, which replaces the chosen one when it is whole.
#[derive(Debug)]
struct Save {
    part: PathBuf,
    chosen: PathBuf,
}

impl Saves {
    /// The path to write to.
    fn begin(&self, url: Url, chosen: PathBuf) -> PathBuf {
        let mut saves = self.lock();
        let is_free = |part: &PathBuf| !part.exists() && saves.values().all(|save| save.part != *part);
        let mut parts = (1_u64..).map(|number| part_beside(&chosen, number));
        let part = parts.find(is_free).unwrap_or_else(|| part_beside(&chosen, 0));
        let save = Save {
            part: part.clone(),
            chosen,
        };
        saves.insert(url, save);
        part
    }

    /// Puts what was written in the place of the chosen file, or removes it.
    ///
    /// # Errors
    /// The file was not saved, in words for the user.
    fn end(&self, url: &Url, is_whole: bool) -> Result<(), String> {
        let Some(Save { part, chosen }) = self.lock().remove(url) else {
            // On Linux nobody waits for it any more. Elsewhere it is written to its place at once.
            return match is_whole || cfg!(target_os = "linux") {
                true => Ok(()),
                false => Err(format!("The file could not be saved. {NEXT}")),
            };
        };
        if !is_whole {
            remove(&part);
            return Err(format!(
                "The file could not be saved as {}. {NEXT}",
                chosen.display()
            ));
        }
        std::fs::rename(&part, &chosen).map_err(|error| {
            // It is all there is of it, so it stays.
            format!(
                "The file was written, but could not be renamed to {}: {error}. It is complete, as {}. Move it where you want it, \
                 or save it again under another name.",
                chosen.display(),
                part.display()
            )
        })
    }

    /// Removes what was written of files that are still being saved.
    pub(crate) fn abandon(&self) {
        for (_, save) in self.lock().drain() {
            remove(&save.part);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Url, Save>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes a part, of which nothing may have been written.
fn remove(part: &Path) {
    if let Err(error) = std::fs::remove_file(part)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::warn!(%error, "a part of a file could not be removed");
    }
}

/// A path in the folder of the chosen file: only there it can get its name at once.
fn part_beside(chosen: &Path, number: u64) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(chosen.file_name().unwrap_or_default());
    name.push(format!(".{number}.part"));
    chosen.with_file_name(name)
}

/// Allows a download if it comes from the page and the user chose a path.
pub(crate) fn decide<R: Runtime>(webview: &Webview<R>, event: DownloadEvent<'_>) -> bool {
    match event {
        DownloadEvent::Requested { url, destination } => {
            // Only data of the page itself; nothing is fetched.
            let is_wanted = url.scheme() == "blob" && ask(webview, destination);
            // Elsewhere nothing is overwritten.
            if is_wanted && cfg!(target_os = "linux") {
                let chosen = std::mem::take(destination);
                *destination = webview.state::<Saves>().begin(url, chosen);
            }
            is_wanted
        }
        DownloadEvent::Finished { url, success, .. } => {
            if let Err(problem) = webview.state::<Saves>().end(&url, success) {
                tracing::warn!(problem, "a file could not be saved");
                show(webview, problem);
            }
            true
        }
        _ => false,
    }
}

/// Shows why a file was not saved: the page does not learn how its download ends.
fn show<R: Runtime>(webview: &Webview<R>, problem: String) {
    let dialog = webview.dialog().message(problem);
    let dialog = dialog.title("Not saved").kind(MessageDialogKind::Error);
    dialog.parent(&webview.window()).show(|_| {});
}

/// Asks for the path; `destination` has the proposed name. Runs on the main thread, where GTK keeps drawing while it waits.
#[cfg(target_os = "linux")]
fn ask<R: Runtime>(webview: &Webview<R>, destination: &mut PathBuf) -> bool {
    use gtk::prelude::{FileChooserExt, NativeDialogExt};

    let parent = webview.window().gtk_window().ok();
    let dialog = gtk::FileChooserNative::new(
        Some("Save"),
        parent.as_ref(),
        gtk::FileChooserAction::Save,
        Some("Save"),
        Some("Cancel"),
    );
    dialog.set_do_overwrite_confirmation(true);
    if let Ok(folder) = webview
        .path()
        .download_dir()
        .or_else(|_| webview.path().home_dir())
    {
        dialog.set_current_folder(folder);
    }
    if let Some(name) = destination.file_name() {
        dialog.set_current_name(&name.to_string_lossy());
    }
    let chosen = (dialog.run() == gtk::ResponseType::Accept)
        .then(|| dialog.filename())
        .flatten();
    let Some(chosen) = chosen else { return false };
    *destination = chosen;
    true
}

/// The downloads folder.
#[cfg(not(target_os = "linux"))]
fn ask<R: Runtime>(_webview: &Webview<R>, _destination: &mut PathBuf) -> bool {
    true
}

#[cfg(test)]
mod tests;
