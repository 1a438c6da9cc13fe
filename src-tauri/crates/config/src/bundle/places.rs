//! The variables of a manifest that mean a folder of the user, and where they are in a text.

use std::path::{Path, PathBuf};

/// What `${HOME}` and its like mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    home: String,
    desktop: String,
    documents: String,
    downloads: String,
}

impl Places {
    /// Those of the current user; none without a home folder.
    #[must_use]
    pub fn of_user() -> Option<Self> {
        let dirs = directories::UserDirs::new()?;
        let home = dirs.home_dir();
        Some(Self {
            home: shown(home),
            desktop: shown(&or_below(dirs.desktop_dir(), home, "Desktop")),
            documents: shown(&or_below(dirs.document_dir(), home, "Documents")),
            downloads: shown(&or_below(dirs.download_dir(), home, "Downloads")),
        })
    }

    /// Those below a home folder.
    #[cfg(test)]
    pub(super) fn below(home: &str) -> Self {
        Self {
            home: home.to_owned(),
            desktop: format!("{home}/Desktop"),
            documents: format!("{home}/Documents"),
            downloads: format!("{home}/Downloads"),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        match name {
            "HOME" => Some(&self.home),
            "DESKTOP" => Some(&self.desktop),
            "DOCUMENTS" => Some(&self.documents),
            "DOWNLOADS" => Some(&self.downloads),
            "pathSeparator" | "/" => Some(std::path::MAIN_SEPARATOR_STR),
            _ => None,
        }
    }
}

/// A text between its variables.
pub(super) enum Part<'a> {
    Text(&'a str),
    Variable(&'a str),
}

/// Splits a text at each `${…}`. One pass: a value that has `${…}` itself is not looked at again.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let Some(length) = rest[at..].find('}') else { break };
        parts.push(Part::Text(&rest[..at]));
        parts.push(Part::Variable(&rest[at + 2..at + length]));
        rest = &rest[at + length + 1..];
    }
    parts.push(Part::Text(rest));
    parts
}

/// A text with `${HOME}` and its like filled in. What is not known stays as it is.
pub(super) fn variables(text: &str, places: &Places) -> String {
    let filled = parts(text).into_iter().map(|part| match part {
        Part::Text(text) => text.to_owned(),
        Part::Variable(name) => places
            .get(name)
            .map_or_else(|| format!("${{{name}}}"), str::to_owned),
    });
    filled.collect()
}

/// A path as text, which is how settings hold it.
pub(super) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A folder of the user, if the system has one.
fn or_below(folder: Option<&Path>, home: &Path, name: &str) -> PathBuf {
    folder.map_or_else(|| home.join(name), Path::to_owned)
}
