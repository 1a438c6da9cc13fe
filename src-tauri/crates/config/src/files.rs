//! Files of the user: written whole or not at all, and paths as users type them.

use std::path::{Path, PathBuf};

use patchbay_contract::{CommandError, ErrorCode};

/// A file or folder of ours could not be used.
#[derive(Debug, thiserror::Error)]
#[error("{step} failed for {}: {source}", path.display())]
pub struct FileError {
    /// What was tried, as a word that begins the sentence: `Reading`.
    pub step: &'static str,
    /// With what.
    pub path: PathBuf,
    /// What the system said.
    pub source: std::io::Error,
}

impl From<FileError> for CommandError {
    fn from(error: FileError) -> Self {
        Self::new(ErrorCode::Storage, error.to_string())
    }
}

/// Makes the folder of `file`, with its parents. New folders can be read by their owner only.
pub fn make_parent(file: &Path) -> Result<(), FileError> {
    let Some(parent) = file.parent() else {
        return Ok(());
    };
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(parent).map_err(|source| FileError {
        step: "Making the folder",
        path: parent.to_owned(),
        source,
    })
}

/// The home folder, where servers without a folder of their own start.
fn home() -> Option<PathBuf> {
    directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned())
}

/// `~` and `~/…` as the home folder: no shell reads what users type into a folder field.
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

/// Writes a file so that after a crash there is either the old one or the new one, whole. Follows a symbolic link
/// (people keep their settings in a repository of their own) and is readable by its owner only: values may be secret.
pub fn write_atomically(path: &Path, text: &str) -> Result<(), FileError> {
    use std::io::Write as _;

    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    make_parent(&target)?;
    let folder = target.parent().unwrap_or(Path::new("."));
    let write = || -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(&target).map_err(|error| error.error)?;
        // The rename itself is only durable with its folder. Not every platform can open one.
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
