//! The file of `--record`.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};

use patchbay_engine::open_private;

/// A file that keeps what it holds until there is something to replace it with.
#[derive(Debug)]
pub(super) struct RecordingFile {
    file: File,
    is_replaced: bool,
}

impl RecordingFile {
    /// Opens the file, or creates it.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut options = File::options();
        Ok(Self {
            file: open_private(path, options.create(true).truncate(false).write(true))?,
            is_replaced: false,
        })
    }

    /// Empties the file, unless something was written already.
    pub(super) fn replace(&mut self) -> io::Result<()> {
        // A pipe cannot be emptied.
        if !self.is_replaced && self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        self.is_replaced = true;
        Ok(())
    }
}

impl Write for RecordingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.replace()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
