//! The folders that bundles are unpacked into, one below another folder for each server that was added.

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Component, Path, PathBuf},
};

use patchbay_contract::{ServerDraft, ServerId, TransportDraft};

use super::places::shown;
use crate::{
    files::{SUFFIX, UNFINISHED, is_unfinished, make_private_folder, open_private},
    servers::new_id,
};

/// The name of the file in the folder of a bundle that says which server it was unpacked for.
const OWNER: &str = ".patchbay-server";

/// A folder below `bundles` that is not there yet, for a bundle of this name and version.
#[must_use]
pub fn new_folder(bundles: &Path, name: &str, version: &str) -> PathBuf {
    let random = new_id().0;
    bundles.join(format!("{}-{}-{}", slug(name), slug(version), &random[..8]))
}

/// The folder below `bundles` that a server is started from; none if it is of no bundle.
#[must_use]
pub fn folder_of(draft: &ServerDraft, bundles: &Path) -> Option<PathBuf> {
    let TransportDraft::Stdio {
        command,
        args,
        env,
        cwd,
    } = &draft.transport
    else {
        return None;
    };
    let start = format!("{}{}", shown(bundles), std::path::MAIN_SEPARATOR);
    let texts = [command]
        .into_iter()
        .chain(cwd)
        .chain(args)
        .chain(env.iter().map(|var| &var.value));
    let name = texts.into_iter().find_map(|text| {
        let rest = &text[text.find(&start)? + start.len()..];
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))
            .unwrap_or(rest.len());
        Some(&rest[..end]).filter(|name| !name.is_empty())
    })?;
    let is_plain = Path::new(name)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    is_plain.then(|| bundles.join(name))
}

/// Writes into the folder of a bundle which server it was unpacked for: the settings may be edited until nothing in them names the
/// folder. Blocking.
///
/// # Errors
/// It cannot be written.
pub fn set_owner(folder: &Path, server: &ServerId) -> io::Result<()> {
    let mut options = File::options();
    let mut file = open_private(
        &folder.join(OWNER),
        options.write(true).create(true).truncate(true),
    )?;
    file.write_all(server.0.as_bytes())
}

/// The folders below `bundles` that were unpacked for a server. Blocking.
#[must_use]
pub fn owned_by(bundles: &Path, server: &ServerId) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(bundles).into_iter().flatten().flatten();
    let folders = folders.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders
        .map(|entry| entry.path())
        .filter(|folder| is_owned(&folder.join(OWNER), server))
        .collect()
}

/// Whether a file names the server. Its bundle could have put anything there: a pipe is not opened, and no large file read.
fn is_owned(file: &Path, server: &ServerId) -> bool {
    let length = server.0.len() as u64;
    std::fs::symlink_metadata(file).is_ok_and(|about| about.is_file() && about.len() == length)
        && std::fs::read(file).is_ok_and(|text| text == server.0.as_bytes())
}

/// The part of a name that can be the name of a folder on every system.
fn slug(name: &str) -> String {
    let slug: String = name
        .chars()
        .map(|c| match c.is_ascii_alphanumeric() || matches!(c, '-' | '_') {
            true => c.to_ascii_lowercase(),
            false => '-',
        })
        .take(60)
        .collect();
    match slug.trim_matches('-') {
        "" => "server".to_owned(),
        slug => slug.to_owned(),
    }
}

/// Deletes the folder of a bundle. Links in it are deleted, not followed. Blocking.
///
/// # Errors
/// A file in it cannot be deleted.
pub fn remove_folder(folder: &Path) -> std::io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// A new file below `bundles` for a bundle that is being received. It is deleted when it is dropped, or by
/// [`remove_unfinished`]. Blocking.
///
/// # Errors
/// The folder or the file cannot be made.
pub fn new_received(bundles: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    make_private_folder(bundles)?;
    tempfile::Builder::new()
        .prefix(UNFINISHED)
        .suffix(SUFFIX)
        .tempfile_in(bundles)
}

/// Deletes what was being unpacked or received when a Patchbay was killed. Nobody else may be writing there.
pub fn remove_unfinished(bundles: &Path) {
    let entries = std::fs::read_dir(bundles).into_iter().flatten().flatten();
    for entry in entries {
        if !is_unfinished(&entry.file_name()) {
            continue;
        }
        // What cannot be deleted harms nobody.
        let _ = match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            true => remove_folder(&entry.path()),
            false => std::fs::remove_file(entry.path()),
        };
    }
}
