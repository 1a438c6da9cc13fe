//! Where the files of a user lie: the platform's own folders, or one folder for all (`--data-dir`).

use std::path::{Path, PathBuf};

use crate::error::EngineError;

/// The files of one user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folders {
    /// Configured servers, in the `mcpServers` shape.
    pub(crate) servers: PathBuf,
    /// The traffic store; its folder is what the lock guards.
    pub(crate) store: PathBuf,
    /// Our own diagnostics.
    pub(crate) log: PathBuf,
    /// What the UI remembers.
    pub(crate) ui: PathBuf,
    /// Secrets, encrypted.
    pub(crate) vault: PathBuf,
    /// What was found out about eras.
    pub(crate) eras: PathBuf,
    /// The last authorization runs.
    pub(crate) authorizations: PathBuf,
}

impl Folders {
    /// Names the files; creates nothing.
    pub(crate) fn locate(data_dir: Option<&Path>) -> Result<Self, EngineError> {
        if let Some(dir) = data_dir {
            let dir = std::path::absolute(dir).map_err(|source| EngineError::File {
                step: "Finding the data folder",
                path: dir.to_owned(),
                source,
            })?;
            return Ok(Self::below(&dir, &dir, &dir));
        }
        let project = directories::ProjectDirs::from("", "", "patchbay").ok_or(EngineError::NoHome)?;
        let state = project.state_dir().unwrap_or_else(|| project.data_local_dir());
        Ok(Self::below(project.config_dir(), project.data_dir(), state))
    }

    fn below(config: &Path, data: &Path, state: &Path) -> Self {
        Self {
            servers: config.join("servers.json"),
            store: data.join("traffic.sqlite"),
            log: state.join("patchbay.log"),
            vault: data.join("vault.json"),
            ui: state.join("ui.json"),
            eras: state.join("eras.json"),
            authorizations: state.join("authorizations.json"),
        }
    }

    /// Makes the folder that `file` lies in.
    pub(crate) fn make_parent(file: &Path) -> Result<(), EngineError> {
        let Some(parent) = file.parent() else {
            return Ok(());
        };
        std::fs::create_dir_all(parent).map_err(|source| EngineError::File {
            step: "Making the folder",
            path: parent.to_owned(),
            source,
        })
    }
}

/// The home folder, where servers without a folder of their own start.
pub(crate) fn home() -> Option<PathBuf> {
    directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned())
}

/// `~` and `~/…` as the home folder: no shell reads what users type into a folder field.
pub(crate) fn expand_home(folder: &str) -> String {
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
pub(crate) fn write_atomically(path: &Path, text: &str) -> Result<(), EngineError> {
    use std::io::Write as _;

    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    Folders::make_parent(&target)?;
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
    write().map_err(|source| EngineError::File {
        step: "Writing",
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests;
