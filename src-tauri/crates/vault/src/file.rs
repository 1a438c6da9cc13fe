//! The encrypted file: its format, reading, and atomic replacement.
//!
//! ```json
//! {"patchbayVault": 1, "id": "5f…", "key": {"kept": "keychain"}, "check": "…", "entries": {"server/1a…/2b…": "…"}}
//! ```
//! Ids are stored in plain text; otherwise only the lengths of the secrets are visible.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use patchbay_secret::Secret;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    SecretId, VaultError,
    seal::{Cost, Key, fill},
};

/// The written version.
const VERSION: u32 = 1;

/// The content of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Content {
    patchbay_vault: u32,
    /// The id of this vault, which names its key in the keychain.
    pub(crate) id: String,
    pub(crate) key: KeyKind,
    /// A sealed empty value, which verifies a key.
    check: Bytes,
    pub(crate) entries: BTreeMap<SecretId, Bytes>,
}

/// The location of the key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kept", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum KeyKind {
    /// In the keychain.
    Keychain,
    /// In the file, sealed with a key derived from a passphrase.
    Passphrase {
        argon2id: Cost,
        salt: Bytes,
        sealed: Bytes,
    },
}

/// Bytes, encoded as base64 in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD
            .decode(text)
            .map(Self)
            .map_err(|_| serde::de::Error::custom("invalid base64"))
    }
}

/// Why a file is not a readable vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unreadable(pub(crate) String);

impl Content {
    /// A new vault without secrets.
    pub(crate) fn new(key: &Key) -> Result<Self, VaultError> {
        let id = random_name()?;
        Ok(Self {
            patchbay_vault: VERSION,
            check: Bytes(key.seal(&check_of(&id), &[])?),
            id,
            key: KeyKind::Keychain,
            entries: BTreeMap::new(),
        })
    }

    /// The name of its key in the keychain.
    pub(crate) fn key_name(&self) -> String {
        format!("vault key {}", self.id)
    }

    /// Whether it was sealed with this key.
    pub(crate) fn fits(&self, key: &Key) -> bool {
        key.open(&check_of(&self.id), &self.check.0).is_some()
    }

    /// Stores the key, sealed with a key derived from a passphrase. Slow.
    pub(crate) fn keep_by(&mut self, passphrase: &Secret, cost: Cost, key: &Key) -> Result<(), VaultError> {
        let mut salt = vec![0; 16];
        fill(&mut salt)?;
        let wrapping = Key::derive(passphrase, &salt, cost)?;
        let sealed = wrapping.seal(&format!("{} key", about(&self.id)), key.bytes())?;
        self.key = KeyKind::Passphrase {
            argon2id: cost,
            salt: Bytes(salt),
            sealed: Bytes(sealed),
        };
        Ok(())
    }

    /// The key, unsealed with its passphrase; none if the passphrase is wrong. Slow.
    pub(crate) fn key_by(&self, passphrase: &Secret) -> Result<Option<Key>, VaultError> {
        let KeyKind::Passphrase {
            argon2id,
            salt,
            sealed,
        } = &self.key
        else {
            return Ok(None);
        };
        let wrapping = Key::derive(passphrase, &salt.0, *argon2id)?;
        Ok(wrapping
            .open(&format!("{} key", about(&self.id)), &sealed.0)
            .and_then(|bytes| Key::from_bytes(&bytes))
            .filter(|key| self.fits(key)))
    }

    /// Stores a secret.
    pub(crate) fn put(&mut self, key: &Key, id: SecretId, secret: &Secret) -> Result<(), VaultError> {
        let sealed = key.seal(&self.entry_of(&id), secret.expose().as_bytes())?;
        self.entries.insert(id, Bytes(sealed));
        Ok(())
    }

    /// Returns a secret; the error means that it was modified.
    pub(crate) fn get(&self, key: &Key, id: &SecretId) -> Result<Option<Secret>, ()> {
        let Some(sealed) = self.entries.get(id) else {
            return Ok(None);
        };
        let opened = key.open(&self.entry_of(id), &sealed.0).ok_or(())?;
        let text = std::str::from_utf8(&opened).map_err(|_| ())?;
        Ok(Some(Secret::new(text)))
    }

    fn entry_of(&self, id: &SecretId) -> String {
        format!("{} entry {}", about(&self.id), id.0)
    }

    fn parse(text: &[u8]) -> Result<Self, Unreadable> {
        /// The part that all newer versions keep.
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Version {
            patchbay_vault: u32,
        }
        let no_vault = |error: serde_json::Error| Unreadable(format!("it is not a vault file ({error})"));
        let version: Version = serde_json::from_slice(text).map_err(no_vault)?;
        if version.patchbay_vault != VERSION {
            return Err(Unreadable(format!(
                "its version is {}, but this Patchbay supports version {VERSION}",
                version.patchbay_vault
            )));
        }
        let content: Self = serde_json::from_slice(text).map_err(no_vault)?;
        if let KeyKind::Passphrase { argon2id, .. } = &content.key
            && !argon2id.is_bearable()
        {
            return Err(Unreadable(
                "it requires more memory or time than a vault may use".to_owned(),
            ));
        }
        Ok(content)
    }
}

fn about(id: &str) -> String {
    format!("patchbay vault {VERSION} {id}")
}

fn check_of(id: &str) -> String {
    format!("{} check", about(id))
}

/// 128 random bits in hex: an unguessable name.
///
/// # Errors
/// The random number generator failed.
pub fn random_name() -> Result<String, VaultError> {
    let mut bytes = [0; 16];
    fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Reads the file; none if it does not exist.
pub(crate) fn read(file: &Path) -> Result<Option<Result<Content, Unreadable>>, VaultError> {
    match std::fs::read(file) {
        Ok(text) => Ok(Some(Content::parse(&text))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("Reading the vault", file, &error)),
    }
}

/// How the names of vaults begin that are being written.
const UNFINISHED: &str = ".vault-";
/// No program takes longer to write one.
const LONGEST_WRITE: Duration = Duration::from_secs(60);

/// Deletes what was being written when a program was killed. Others may be writing right now.
fn remove_unfinished(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
        let made = entry.metadata().and_then(|metadata| metadata.modified()).ok();
        let age = made.and_then(|made| made.elapsed().ok());
        if ours && age.is_some_and(|age| age > LONGEST_WRITE) {
            // What cannot be deleted harms nobody: its content is encrypted.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Writes the file atomically: after a crash it has either the old or the new content. Readable by its owner only.
pub(crate) fn write(file: &Path, content: &Content) -> Result<(), VaultError> {
    write_synced(file, content, File::sync_all)
}

/// `sync` brings the content to the disk: it may fail after every write succeeded.
fn write_synced(
    file: &Path,
    content: &Content,
    sync: impl Fn(&File) -> io::Result<()>,
) -> Result<(), VaultError> {
    let mut text =
        serde_json::to_vec_pretty(content).map_err(|error| VaultError::Internal(error.to_string()))?;
    text.push(b'\n');
    let target = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let folder = folder_of(&target);
    let write = || -> io::Result<()> {
        make_folder(&folder)?;
        remove_unfinished(&folder);
        let mut new = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(&folder)?;
        new.write_all(&text)?;
        sync(new.as_file())?;
        new.persist(&target).map_err(|error| error.error)?;
        // The rename is durable only after the folder is synced. Not every platform can open a folder.
        if let Ok(folder) = File::open(&folder) {
            let _ = folder.sync_all();
        }
        Ok(())
    };
    write().map_err(|error| failed("Writing the vault", file, &error))
}

/// Renames the file within its folder, and returns the new path.
pub(crate) fn set_aside(file: &Path) -> Result<PathBuf, VaultError> {
    let free = (1_u32..)
        .map(|n| file.with_extension(format!("json.aside-{n}")))
        .find(|path| !path.exists())
        .unwrap_or_else(|| file.with_extension("json.aside"));
    std::fs::rename(file, &free).map_err(|error| failed("Setting the vault aside", file, &error))?;
    Ok(free)
}

/// Creates a folder and its parents, readable by their owner only.
pub(crate) fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The folder of a file.
pub(crate) fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

pub(crate) fn failed(step: &'static str, file: &Path, error: &io::Error) -> VaultError {
    VaultError::File {
        step,
        file: file.to_owned(),
        cause: error.to_string(),
    }
}

#[cfg(test)]
mod tests;
