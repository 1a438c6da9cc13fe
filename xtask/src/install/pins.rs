//! Third-party programs, pinned in a folder of the clone and installed once into the cache.
//!
//! The cache folder's name contains a hash of the pins, so that two clones with different pins do not interfere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::install::stamp;
use crate::{Outcome, place, process};

/// A set of pinned programs.
pub(crate) struct Pins {
    /// The prefix of the cache folder's name.
    kind: &'static str,
    /// The folder of the clone that contains the pinning files.
    source: PathBuf,
    files: &'static [&'static str],
}

impl Pins {
    /// An npm package with its lock file in a folder of the clone.
    pub(crate) fn npm(kind: &'static str, folder: &str) -> Self {
        Self::of(kind, folder, &["package.json", "package-lock.json"])
    }

    /// Files in a folder of the clone, given with `/`.
    pub(crate) fn of(kind: &'static str, folder: &str, files: &'static [&'static str]) -> Self {
        let source = place::root().join(folder);
        Self { kind, source, files }
    }

    /// One of the files.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.source.join(name)
    }

    /// Where it is installed.
    pub(crate) fn folder(&self) -> PathBuf {
        let contents: Vec<Vec<u8>> = self
            .files
            .iter()
            .map(|file| fs::read(self.file(file)).unwrap_or_default())
            .collect();
        let hash = stamp::hash_bytes(&contents);
        place::cache()
            .join("peers")
            .join(format!("{}-{}", self.kind, &hash[..8]))
    }

    /// Fills the folder, unless an earlier run completed it.
    pub(crate) fn once(&self, fill: impl FnOnce(&Path) -> Outcome) -> Outcome {
        stamp::once(&self.folder(), fill)
    }

    /// Runs `npm ci` for the pins, unless that was done before.
    pub(crate) fn npm_ci(&self, run: &mut dyn FnMut(&mut Command) -> Outcome) -> Outcome {
        self.once(|folder| {
            for file in self.files {
                let from = self.file(file);
                fs::copy(&from, folder.join(file)).map_err(|error| format!("{}: {error}", from.display()))?;
            }
            run(process::npm(folder).args(["ci", "--no-audit", "--no-fund"]))
        })
    }
}
