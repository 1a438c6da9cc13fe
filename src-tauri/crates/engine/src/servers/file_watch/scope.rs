//! What is watched: files, and folders without what is never watched in them. Reads the file system.

use std::{
    io,
    path::{Path, PathBuf},
};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// What is not watched in a folder unless a pattern with `!` says so: repositories, what package managers install, what
/// compilers and interpreters write, and temporary files of editors.
const IGNORED: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    ".jj",
    "node_modules",
    "target",
    "__pycache__",
    "*.pyc",
    ".venv",
    ".tox",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".gradle",
    ".DS_Store",
    "*.swp",
    "*.swo",
    "*.swx",
    "4913",
    "*~",
    ".#*",
    "\\#*#",
    "*.tmp",
    "*___jb_tmp___",
    "*___jb_old___",
];

/// Why nothing is watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Problem {
    /// There is nothing at this path.
    Missing(PathBuf),
    /// Anything else.
    Failed {
        /// Why, in a sentence.
        cause: String,
        /// What the user can do, in a sentence.
        next: String,
    },
}

/// Everything that is watched for a server.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) roots: Vec<Root>,
    /// The folder that paths are shown relative to.
    cwd: PathBuf,
}

/// A file, or a folder with all that is in it.
#[derive(Debug)]
pub(super) struct Root {
    /// Absolute, as configured.
    pub(super) path: PathBuf,
    /// Without links, as the system reports changes.
    pub(super) real: PathBuf,
    /// Of a folder, what is not watched in it; none: a file.
    ignored: Option<Gitignore>,
    identity: Identity,
}

/// Tells a folder from another one that took its place.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Identity {
    File,
    #[cfg(unix)]
    Folder(u64, u64),
    #[cfg(not(unix))]
    Folder,
}

impl Scope {
    /// Finds these paths; relative ones begin at `cwd`.
    pub(super) fn find(paths: &[String], ignored: &[String], cwd: &Path) -> Result<Self, Problem> {
        let roots = paths.iter().map(|path| {
            // Without `.`, which is not shown.
            let path: PathBuf = cwd.join(path).components().collect();
            Root::find(&path, ignored)
        });
        let roots = roots.collect::<Result<_, _>>()?;
        let cwd = cwd.canonicalize().unwrap_or_else(|_| cwd.to_owned());
        Ok(Self { roots, cwd })
    }

    /// Whether a change of this path counts.
    pub(super) fn has(&self, path: &Path, is_folder: bool) -> bool {
        self.roots.iter().any(|root| root.has(path, is_folder))
    }

    /// Whether it is a file or folder that was configured.
    pub(super) fn is_root(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| root.real == path)
    }

    /// Whether all is still there and the same: a folder that was replaced is no longer watched.
    pub(super) fn is_same(&self) -> bool {
        let mut roots = self.roots.iter();
        roots.all(|root| identity(&root.path).is_ok_and(|now| now == root.identity))
    }

    /// A path as it is shown: relative to the working directory if it is in it.
    pub(super) fn shown(&self, path: &Path) -> String {
        let relative = path.strip_prefix(&self.cwd).unwrap_or(path);
        relative.display().to_string()
    }
}

impl Root {
    fn find(path: &Path, patterns: &[String]) -> Result<Self, Problem> {
        let real = path.canonicalize().map_err(|error| unusable(path, &error))?;
        let identity = identity(path).map_err(|error| unusable(path, &error))?;
        let ignored = match identity {
            Identity::File => None,
            _ => Some(ignored(&real, patterns)?),
        };
        Ok(Self {
            path: path.to_owned(),
            real,
            ignored,
            identity,
        })
    }

    pub(super) fn is_folder(&self) -> bool {
        self.ignored.is_some()
    }

    fn has(&self, path: &Path, is_folder: bool) -> bool {
        match &self.ignored {
            None => path == self.real,
            Some(_) if path == self.real => false,
            Some(ignored) => path
                .strip_prefix(&self.real)
                .is_ok_and(|rest| !ignored.matched_path_or_any_parents(rest, is_folder).is_ignore()),
        }
    }
}

fn ignored(root: &Path, patterns: &[String]) -> Result<Gitignore, Problem> {
    let mut builder = GitignoreBuilder::new(root);
    let all = IGNORED.iter().copied().chain(patterns.iter().map(String::as_str));
    for pattern in all {
        builder.add_line(None, pattern).map_err(|error| Problem::Failed {
            cause: format!("The pattern `{pattern}` of what is not watched is not understood: {error}."),
            next: "Write it as in a .gitignore.".to_owned(),
        })?;
    }
    builder.build().map_err(|error| Problem::Failed {
        cause: format!("The patterns of what is not watched cannot be used together: {error}."),
        next: "Use fewer or shorter patterns.".to_owned(),
    })
}

/// Follows links, as watching does.
fn identity(path: &Path) -> io::Result<Identity> {
    let about = path.metadata()?;
    if !about.is_dir() {
        return Ok(Identity::File);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Ok(Identity::Folder(about.dev(), about.ino()))
    }
    #[cfg(not(unix))]
    Ok(Identity::Folder)
}

fn unusable(path: &Path, error: &io::Error) -> Problem {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Problem::Missing(path.to_owned()),
        _ => Problem::Failed {
            cause: format!("{} cannot be read: {error}.", path.display()),
            next: "Choose other paths in the settings of the server, or change the permissions.".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests;
