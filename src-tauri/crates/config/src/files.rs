//! The user's files, written atomically, and paths as users type them.

mod text;

use std::path::{Path, PathBuf};

use patchbay_contract::{CommandError, ErrorCode};

pub use text::{TextError, read_text, read_text_from};

/// A file or folder could not be used.
#[derive(Debug, thiserror::Error)]
#[error("{step} failed for {}: {source}", path.display())]
pub struct FileError {
    /// The failed action, as the start of the sentence: `Reading`.
    pub step: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// The error of the system.
    pub source: std::io::Error,
}

impl From<FileError> for CommandError {
    fn from(error: FileError) -> Self {
        Self::new(ErrorCode::Storage, error.to_string())
    }
}

/// Creates the folder of `file` and its parents. New folders are readable by their owner only.
pub fn make_parent(file: &Path) -> Result<(), FileError> {
    let Some(parent) = file.parent() else {
        return Ok(());
    };
    make_private_folder(parent).map_err(|source| FileError {
        step: "Creating the folder",
        path: parent.to_owned(),
        source,
    })
}

/// Creates a folder and its parents, unless it is there. New folders are readable by their owner only.
pub(crate) fn make_private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Opens a file that only its owner may read, also if it exists with other permissions.
///
/// # Errors
/// It cannot be opened.
pub fn open_private(path: &Path, options: &mut std::fs::OpenOptions) -> std::io::Result<std::fs::File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    if file.metadata()?.is_file() {
        let owner_only = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        // A file of somebody else that we may write to stays as it is.
        let _ = file.set_permissions(owner_only);
    }
    Ok(file)
}

/// The home folder, the default working directory of servers.
fn home() -> Option<PathBuf> {
    directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned())
}

/// Expands `~` and `~/…`: no shell reads what users type into a folder field.
pub fn expand_home(folder: &str) -> String {
    let rest = match folder {
        "~" => Some(""),
        _ => folder.strip_prefix("~/"),
    };
    match (rest, home()) {
        (Some(""), Some(home)) => home.to_string_lossy().into_owned(),
        (Some(rest), Some(home)) => home.join(rest).to_string_lossy().into_owned(),
        _ => folder.to_owned(),
    }
}

/// How the names of files and folders begin and end that are being written.
pub(crate) const UNFINISHED: &str = ".patchbay-";
pub(crate) const SUFFIX: &str = ".tmp";

/// Whether a file or folder of this name was being written.
pub(crate) fn is_unfinished(name: &std::ffi::OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(UNFINISHED) && name.ends_with(SUFFIX)
}

/// Deletes what was being written beside `file` when a Patchbay was killed. Nobody else may be writing there.
pub fn remove_unfinished(file: &Path) {
    let target = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let entries = target.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    for entry in entries.into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_unfinished(&entry.file_name()) {
            // What cannot be deleted harms nobody.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Writes a file atomically: after a crash either the old or the new content is there. Follows a symbolic link (users keep
/// their settings in a repository). The file is readable by its owner only, because values may be secret.
pub fn write_atomically(path: &Path, text: &str) -> Result<(), FileError> {
    write_synced(path, text, std::fs::File::sync_all)
}

/// `sync` brings the content to the disk: it may fail after every write succeeded.
fn write_synced(
    path: &Path,
    text: &str,
    sync: impl Fn(&std::fs::File) -> std::io::Result<()>,
) -> Result<(), FileError> {
    use std::io::Write as _;

    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    make_parent(&target)?;
    let folder = target.parent().unwrap_or(Path::new("."));
    let write = || -> std::io::Result<()> {
        let mut file = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .suffix(SUFFIX)
            .tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        sync(file.as_file())?;
        file.persist(&target).map_err(|error| error.error)?;
        // The rename is durable only after the folder is synced. Not every platform can open a folder.
        if let Ok(folder) = std::fs::File::open(folder) {
            let _ = folder.sync_all();
        }
        Ok(())
    };
    write().map_err(|source| FileError {
        step: "Writing",
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests;
