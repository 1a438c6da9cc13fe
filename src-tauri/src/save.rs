//! Saving files: the page starts a download of its own data, and the user chooses the path.

use std::path::PathBuf;

use tauri::webview::DownloadEvent;
use tauri::{Manager, Runtime, Webview};

/// Allows a download if it comes from the page and the user chose a path.
pub(crate) fn decide<R: Runtime>(webview: &Webview<R>, event: DownloadEvent<'_>) -> bool {
    match event {
        DownloadEvent::Requested { url, destination } => {
            // Only data of the page itself; nothing is fetched.
            url.scheme() == "blob" && ask(webview, destination)
        }
        DownloadEvent::Finished { success, .. } => {
            if !success {
                tracing::warn!("a file could not be saved");
            }
            true
        }
        _ => false,
    }
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
    // WebKit does not overwrite a file; the dialog has asked for permission.
    if let Err(error) = std::fs::remove_file(&chosen)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::warn!(%error, "a file could not be replaced");
    }
    *destination = chosen;
    true
}

/// The downloads folder.
#[cfg(not(target_os = "linux"))]
fn ask<R: Runtime>(_webview: &Webview<R>, _destination: &mut PathBuf) -> bool {
    true
}
