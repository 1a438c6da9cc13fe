//! MCP bundles (`.mcpb`, formerly `.dxt`): a zip archive with a server and `manifest.json`, which says how it is run and what it asks
//! its user for.
//!
//! A bundle is foreign in every byte. It is read without being unpacked; [`Bundle::unpack`] writes it only below the folder that it is
//! given, and leaves nothing behind when it fails. Nothing of it is run here.

mod archive;
mod error;
mod installed;
mod launch;
mod manifest;
mod places;
mod settings;
mod signature;
mod unpack;

use std::{
    fs::File,
    io::{Read as _, Seek as _, SeekFrom},
    path::Path,
};

use sha2::{Digest as _, Sha256};

pub use archive::MAX_BUNDLE_BYTES;
pub use error::BundleError;
pub use installed::{
    folder_of, new_folder, new_received, owned_by, remove_folder,
    remove_unfinished as remove_unfinished_bundles, set_owner,
};
pub use launch::{Launch, LaunchError};
pub use manifest::{DeclaredItem, Manifest};
pub use places::Places;
pub use signature::Signature;

/// A bundle that was read and checked, but not unpacked.
#[derive(Debug)]
pub struct Bundle {
    file: File,
    /// What its manifest says.
    pub manifest: Manifest,
    /// The SHA-256 of the whole file, in hex.
    pub sha256: String,
    /// The size of the file, in bytes.
    pub size: u64,
    /// The size of its files when unpacked, in bytes.
    pub unpacked_size: u64,
    /// Whether it is signed.
    pub signature: Signature,
    entries: Vec<archive::Entry>,
}

impl Bundle {
    /// Reads a bundle: its list of files, which is checked whole, and its manifest. Blocking.
    ///
    /// # Errors
    /// It is not a bundle, or not one that can be unpacked safely.
    pub fn open(path: &Path) -> Result<Self, BundleError> {
        // Before it is opened: opening a pipe would wait for a writer.
        let is_file = std::fs::metadata(path).map(|about| about.is_file());
        let file = match is_file {
            Ok(true) => File::open(path),
            Ok(false) => {
                return Err(BundleError::reading(
                    format!("{} is not a file.", path.display()),
                    "Choose a file that ends in .mcpb.",
                ));
            }
            Err(error) => Err(error),
        };
        let unreadable = |error: std::io::Error| {
            BundleError::reading(
                format!("{} cannot be read ({error}).", path.display()),
                "Check its path and permissions, then try again.",
            )
        };
        let mut file = file.map_err(unreadable)?;
        let size = file.metadata().map_err(unreadable)?.len();
        if size > MAX_BUNDLE_BYTES {
            return Err(BundleError::reading(
                format!(
                    "It has {} MB, more than the {} MB that a bundle may have.",
                    size / 1_000_000,
                    MAX_BUNDLE_BYTES / 1_000_000
                ),
                "Unpack it yourself, and add its server as a command.",
            ));
        }
        let (signature, length) = signature::read(&mut file, size).map_err(unreadable)?;
        let sha256 = sha256(&mut file).map_err(unreadable)?;
        let mut archive = archive::open(&file, length)?;
        let entries = archive::entries(&mut archive)?;
        let text = archive::text(&mut archive, &entries, "manifest.json")?;
        let manifest = Manifest::read(&text)?;
        manifest.check_files(|name| entries.iter().any(|entry| !entry.is_dir && entry.name == name))?;
        Ok(Self {
            file,
            manifest,
            sha256,
            size,
            unpacked_size: entries.iter().map(|entry| entry.size).sum(),
            signature,
            entries,
        })
    }

    /// How many files it has.
    #[must_use]
    pub fn file_count(&self) -> usize {
        self.entries.iter().filter(|entry| !entry.is_dir).count()
    }

    /// Whether it has a file of that name.
    #[must_use]
    pub fn has_file(&self, name: &str) -> bool {
        self.entries
            .iter()
            .any(|entry| !entry.is_dir && entry.name == name)
    }

    /// Unpacks the bundle as a new folder, which only its owner can read. On failure nothing is left. Blocking.
    ///
    /// # Errors
    /// The file changed since it was read, is damaged, or cannot be written.
    pub fn unpack(&mut self, folder: &Path) -> Result<(), BundleError> {
        let changed = || {
            BundleError::new(
                "Unpacking the bundle",
                "The file has changed since it was shown.",
                "Open it again, and look at what it contains now.",
            )
        };
        if sha256(&mut self.file).map_err(|_| changed())? != self.sha256 {
            return Err(changed());
        }
        let mut archive = archive::open(&self.file, self.archive_size())?;
        let programs: Vec<String> = self.manifest.programs();
        unpack::unpack(&mut archive, &self.entries, &programs, folder)
    }

    /// How the server is started from `folder`, which the bundle is unpacked into, with the values of its settings (a JSON object).
    /// `new_name` makes the names of secrets.
    ///
    /// # Errors
    /// A value is missing or of another type, or there is no name for a secret.
    pub fn launch<E>(
        &self,
        folder: &Path,
        places: &Places,
        values_json: &str,
        new_name: impl Fn() -> Result<String, E>,
    ) -> Result<Launch, LaunchError<E>> {
        let is_inside = |name: &str| self.has_file(name);
        launch::launch(&self.manifest, is_inside, folder, places, values_json, new_name)
    }

    /// The program that has to be found in PATH; none if it is in the bundle or a path.
    #[must_use]
    pub fn needs_in_path(&self) -> Option<String> {
        launch::needs_in_path(&self.manifest, |name| self.has_file(name))
    }

    fn archive_size(&self) -> u64 {
        self.size - self.signature.bytes()
    }
}

fn sha256(file: &mut File) -> std::io::Result<String> {
    file.seek(SeekFrom::Start(0))?;
    let mut hash = Sha256::new();
    let mut part = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut part)?;
        if read == 0 {
            break;
        }
        hash.update(&part[..read]);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests;
