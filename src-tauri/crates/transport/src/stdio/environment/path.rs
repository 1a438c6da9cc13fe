//! Folders that are added to PATH.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use super::{Environment, is_same};

/// What is between two folders.
const SEPARATOR: &str = if cfg!(windows) { ";" } else { ":" };

impl Environment {
    /// With folders before and after those of its PATH, which stays as it is.
    #[must_use]
    pub fn with_path(mut self, before: &[PathBuf], after: &[PathBuf]) -> Self {
        if before.is_empty() && after.is_empty() {
            return self;
        }
        let own = self.get("PATH").filter(|path| !path.is_empty());
        let parts = before.iter().map(PathBuf::as_path);
        let parts = parts
            .chain(own.map(Path::new))
            .chain(after.iter().map(PathBuf::as_path));
        let mut path = OsString::new();
        for (at, part) in parts.enumerate() {
            if at > 0 {
                path.push(SEPARATOR);
            }
            path.push(part);
        }
        self.set("PATH", path);
        self
    }

    /// Sets a variable, under the name that it has already.
    fn set(&mut self, name: &str, value: OsString) {
        let known = self.vars.iter().rposition(|(set, _)| is_same(set, name));
        match known.and_then(|at| self.vars.get_mut(at)) {
            Some((_, old)) => *old = value,
            None => self.vars.push((OsStr::new(name).to_owned(), value)),
        }
    }
}
