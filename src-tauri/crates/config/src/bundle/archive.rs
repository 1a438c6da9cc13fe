//! Reads a zip archive of unknown origin: within bounds, and only with names that stay inside of the folder it is unpacked into.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::PathBuf,
};

use patchbay_protocol::views::with_hidden_marked;
use zip::{ZipArchive, result::ZipError};

use super::error::{ASK_AUTHOR, BundleError, GET_AGAIN};

/// The size of the largest bundle that is read, in bytes.
pub const MAX_BUNDLE_BYTES: u64 = 512 << 20;
/// The maximum size of all files of a bundle when unpacked, in bytes.
const MAX_UNPACKED_BYTES: u64 = 2 << 30;
/// The maximum size of one file of a bundle when unpacked, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 30;
/// The maximum number of files and folders in a bundle.
const MAX_ENTRIES: usize = 50_000;
/// How many times larger than packed the files of a bundle may be together, once they are more than `FREE_BYTES`.
const MAX_RATIO: u64 = 100;
/// The size up to which the ratio does not matter, in bytes: small files of one repeated byte are harmless.
const FREE_BYTES: u64 = 32 << 20;
/// The maximum length of the path of a file in a bundle, in bytes.
const LONGEST_PATH: usize = 1024;
/// The maximum size of the manifest of a bundle, in bytes.
const MAX_MANIFEST_BYTES: u64 = 1 << 20;
/// The size of the end of the directory with the longest comment, in bytes.
const END_BYTES: u64 = 22 + 0xffff;

/// A file or folder in a bundle, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) index: usize,
    /// The path with `/` between its parts, none of which leads upwards.
    pub(super) name: String,
    /// The size when unpacked, in bytes. Reading more is refused.
    pub(super) size: u64,
    pub(super) is_dir: bool,
    /// Whether its owner may run it, according to the archive.
    pub(super) is_executable: bool,
}

impl Entry {
    /// Where it is in the folder that it is unpacked into.
    pub(super) fn path(&self) -> PathBuf {
        self.name.split('/').collect()
    }
}

/// The first bytes of a file: what follows an archive is its signature.
#[derive(Debug)]
pub(super) struct Front<'a> {
    file: &'a File,
    length: u64,
    at: u64,
}

impl Read for Front<'_> {
    fn read(&mut self, part: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.length.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let most = left.min(part.len());
        self.file.seek(SeekFrom::Start(self.at))?;
        let read = self.file.read(&mut part[..most])?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Front<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}

/// The archive in the first `length` bytes of a file.
pub(super) fn open(file: &File, length: u64) -> Result<ZipArchive<io::BufReader<Front<'_>>>, BundleError> {
    let mut front = Front { file, length, at: 0 };
    refuse_large_directory(&mut front).map_err(|error| damaged(&error.into()))?;
    ZipArchive::new(io::BufReader::new(front)).map_err(|error| match error {
        ZipError::InvalidArchive(_) => BundleError::reading(
            format!("It is not a zip archive, or its end is missing ({error})."),
            GET_AGAIN,
        ),
        error => damaged(&error),
    })
}

/// The archive's own count of files is read before any memory is taken for them: without ZIP64, which a bundle of this size does not
/// need, there are at most 65,535.
fn refuse_large_directory(front: &mut Front<'_>) -> io::Result<()> {
    let from = front.length.saturating_sub(END_BYTES + 20);
    front.seek(SeekFrom::Start(from))?;
    let mut end = Vec::new();
    Read::by_ref(front).take(END_BYTES + 20).read_to_end(&mut end)?;
    front.seek(SeekFrom::Start(0))?;
    // The locator of ZIP64 is right before the end of the directory.
    let has_locator = end
        .windows(24)
        .any(|part| part.starts_with(b"PK\x06\x07") && part.ends_with(b"PK\x05\x06"));
    match has_locator {
        true => Err(io::Error::other("it uses ZIP64, which is not read")),
        false => Ok(()),
    }
}

/// Every file and folder. One that cannot be unpacked safely refuses the whole bundle.
pub(super) fn entries<R: Read + Seek>(archive: &mut ZipArchive<R>) -> Result<Vec<Entry>, BundleError> {
    if archive.len() > MAX_ENTRIES {
        return Err(too_much(format!(
            "It has {} files and folders, more than {MAX_ENTRIES}.",
            archive.len()
        )));
    }
    // Which of the two is shown and run would depend on who reads it.
    if archive.has_duplicate_names() {
        return Err(BundleError::reading(
            "It has two files of the same name.",
            ASK_AUTHOR,
        ));
    }
    let mut entries = Vec::with_capacity(archive.len());
    let (mut packed, mut unpacked) = (0_u64, 0_u64);
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).map_err(|error| damaged(&error))?;
        let name = checked_name(&file.name().map_err(|error| damaged(&error))?)?;
        if file.encrypted() {
            return Err(BundleError::reading(
                format!("`{name}` is encrypted."),
                "Ask the author of the bundle for one without a password.",
            ));
        }
        check_kind(&name, file.unix_mode())?;
        if file.size() > MAX_FILE_BYTES {
            return Err(too_much(format!(
                "`{name}` would have {} MB when unpacked.",
                file.size() / 1_000_000
            )));
        }
        packed = packed.saturating_add(file.compressed_size());
        unpacked = unpacked.saturating_add(file.size());
        entries.push(Entry {
            index,
            size: file.size(),
            is_dir: file.is_dir(),
            is_executable: file.unix_mode().is_some_and(|mode| mode & 0o100 != 0),
            name,
        });
    }
    let is_bomb = unpacked > FREE_BYTES && unpacked / MAX_RATIO > packed;
    if unpacked > MAX_UNPACKED_BYTES || is_bomb {
        return Err(too_much(format!(
            "Its {packed} bytes would become {unpacked} when unpacked."
        )));
    }
    Ok(entries)
}

/// The name of an entry, if it stays inside of the folder and says what it is.
fn checked_name(name: &str) -> Result<String, BundleError> {
    let shown = || with_hidden_marked(name).chars().take(120).collect::<String>();
    let refused = |why: &str| BundleError::reading(format!("The path `{}` {why}.", shown()), ASK_AUTHOR);
    let path = name.strip_suffix('/').unwrap_or(name);
    if path.is_empty() || name.len() > LONGEST_PATH {
        return Err(refused("is empty or too long"));
    }
    if with_hidden_marked(name) != name || name.contains(['\n', '\t']) {
        return Err(refused("has control characters or invisible ones"));
    }
    if path.starts_with('/') || path.contains('\\') || path.contains(':') {
        return Err(refused("is absolute, or that of another system"));
    }
    if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err(refused("leads out of the bundle"));
    }
    Ok(path.to_owned())
}

/// Only files and folders: a symbolic link would lead out of the folder.
fn check_kind(name: &str, mode: Option<u32>) -> Result<(), BundleError> {
    let refused = |what: &str| Err(BundleError::reading(format!("`{name}` is {what}."), ASK_AUTHOR));
    match mode.unwrap_or_default() & 0o170_000 {
        0 | 0o100_000 | 0o040_000 => Ok(()),
        0o120_000 => refused("a symbolic link"),
        _ => refused("neither a file nor a folder"),
    }
}

/// The text of a file at the top of the bundle.
pub(super) fn text<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    entries: &[Entry],
    name: &str,
) -> Result<String, BundleError> {
    let Some(entry) = entries.iter().find(|entry| entry.name == name && !entry.is_dir) else {
        return Err(BundleError::reading(
            format!("It has no {name} at its top, so it is not an MCP bundle."),
            "Choose a file that was made with `mcpb pack`.",
        ));
    };
    let file = archive.by_index(entry.index).map_err(|error| damaged(&error))?;
    let mut bytes = Vec::new();
    let read = file.take(MAX_MANIFEST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| damaged(&error.into()))?;
    if bytes.len() as u64 > MAX_MANIFEST_BYTES {
        return Err(too_much(format!("{name} has more than 1 MiB.")));
    }
    String::from_utf8(bytes).map_err(|_| BundleError::manifest("It is not UTF-8 text."))
}

/// The archive contradicts itself, or its bytes are not what they were.
pub(super) fn damaged(error: &ZipError) -> BundleError {
    BundleError::reading(format!("It is damaged ({error})."), GET_AGAIN)
}

fn too_much(cause: String) -> BundleError {
    BundleError::reading(
        cause,
        "Do not use this file unless you know its author; then unpack it yourself, and add its server as a command.",
    )
}
