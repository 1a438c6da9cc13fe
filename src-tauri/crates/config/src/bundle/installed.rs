//! The folders that bundles are unpacked into, one below another folder for each server that was added.

use std::path::{Component, Path, PathBuf};

use patchbay_contract::{ServerDraft, TransportDraft};

use super::places::shown;
use crate::servers::new_id;

/// How the names of folders begin and end that are being written.
pub(super) const UNFINISHED: &str = ".patchbay-";
pub(super) const SUFFIX: &str = ".tmp";

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

/// Deletes what was being unpacked or received when a Patchbay was killed. Nobody else may be writing there.
pub fn remove_unfinished(bundles: &Path) {
    let entries = std::fs::read_dir(bundles).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(UNFINISHED) || !name.ends_with(SUFFIX) {
            continue;
        }
        // What cannot be deleted harms nobody.
        let _ = match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            true => remove_folder(&entry.path()),
            false => std::fs::remove_file(entry.path()),
        };
    }
}
