//! The text of a file or a stream that somebody else writes.

use std::{
    fmt,
    fs::File,
    io::{ErrorKind, Read},
    path::Path,
};

/// Why a text was not read. Its words continue a sentence that names the file.
#[derive(Debug)]
pub enum TextError {
    /// There is no such file.
    Absent,
    /// It is a folder, a pipe or a device.
    NotAFile,
    /// It has more than this many bytes.
    TooLarge(u64),
    /// Its bytes are not UTF-8.
    NotUtf8,
    /// The error of the system.
    Io(std::io::Error),
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("it does not exist"),
            Self::NotAFile => f.write_str("it is not a file"),
            Self::TooLarge(most) => write!(f, "it is larger than {} MiB", most >> 20),
            Self::NotUtf8 => f.write_str("it is not UTF-8 text"),
            Self::Io(error) if error.kind() == ErrorKind::PermissionDenied => {
                f.write_str("you have no permission to read it")
            }
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl From<std::io::Error> for TextError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::Absent,
            ErrorKind::IsADirectory => Self::NotAFile,
            _ => Self::Io(error),
        }
    }
}

/// The text of a file of `most` bytes or fewer.
///
/// # Errors
/// It cannot be read, is larger, or is not text in a file.
pub fn read_text(path: &Path, most: u64) -> Result<String, TextError> {
    // Before it is opened: opening a pipe would wait for a writer.
    if !std::fs::metadata(path)?.is_file() {
        return Err(TextError::NotAFile);
    }
    read_text_from(File::open(path)?, most)
}

/// The rest of a stream, if that is `most` bytes or fewer.
///
/// # Errors
/// It cannot be read, is larger, or is not text.
pub fn read_text_from(stream: impl Read, most: u64) -> Result<String, TextError> {
    let mut bytes = Vec::new();
    // The size of a file is not trusted: it may be written at this moment.
    stream.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(TextError::TooLarge(most));
    }
    String::from_utf8(bytes).map_err(|_| TextError::NotUtf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(read: Result<String, TextError>) -> String {
        read.unwrap_err().to_string()
    }

    #[test]
    fn a_text_is_read_up_to_its_limit_and_never_in_part() {
        assert_eq!(read_text_from("ä".as_bytes(), 2).unwrap(), "ä");
        // The limit is in the middle of a character, and the reason is still the size.
        assert_eq!(
            refused(read_text_from("aä".repeat(1 << 20).as_bytes(), 1 << 20)),
            "it is larger than 1 MiB"
        );
        assert_eq!(refused(read_text_from(&b"\xff"[..], 8)), "it is not UTF-8 text");
    }

    #[test]
    fn what_is_not_a_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(refused(read_text(folder.path(), 8)), "it is not a file");
        assert_eq!(
            refused(read_text(&folder.path().join("absent"), 8)),
            "it does not exist"
        );
        let file = folder.path().join("file");
        std::fs::write(&file, "text").unwrap();
        assert_eq!(refused(read_text(&file.join("below"), 8)), "it does not exist");
        assert_eq!(read_text(&file, 4).unwrap(), "text");
    }
}
