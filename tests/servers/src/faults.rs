//! Faults of the disk below a process: full, failing, slow, or the end of the process at its N-th operation. `faults.c` makes them,
//! loaded before libc.
#![cfg(unix)]

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Operations: writing and changing the size.
pub const WRITE: u32 = 1;
/// `fsync`, `fdatasync`.
pub const SYNC: u32 = 2;
/// Reading.
pub const READ: u32 = 4;
/// Renaming, deleting, making a folder.
pub const NAME: u32 = 8;
/// Opening a file that may be created by it.
pub const CREATE: u32 = 16;

/// The number of each field in the file that the process has mapped.
const KINDS: u64 = 0;
const FROM: u64 = 1;
const COUNT: u64 = 2;
const ACTION: u64 = 3;
const VALUE: u64 = 4;
const COUNTED: u64 = 5;
const STRUCK: u64 = 6;

/// What happens to an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It fails with this number of `errno.h`.
    Fail(u32),
    /// The process is killed before it.
    Kill,
    /// The process is killed after half of what it writes.
    Half,
    /// It takes so many milliseconds longer.
    Delay(u32),
}

/// `ENOSPC`.
pub const FULL: Action = Action::Fail(28);
/// `EIO`.
pub const BROKEN: Action = Action::Fail(5);

/// Compiles `faults.c` into `folder`. A C compiler is there: SQLite is built with it.
///
/// # Errors
/// It does not compile; the text of the compiler.
pub fn library(folder: &Path) -> Result<PathBuf, String> {
    let library = folder.join("faults.so");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
        .arg(&library)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/src/faults.c"))
        .output()
        .map_err(|error| error.to_string())?;
    match compiled.status.success() {
        true => Ok(library),
        false => Err(String::from_utf8_lossy(&compiled.stderr).into_owned()),
    }
}

/// The disk of one process.
#[derive(Debug)]
pub struct Faults {
    library: PathBuf,
    below: PathBuf,
    path: PathBuf,
    control: File,
}

impl Faults {
    /// For files whose path begins with `below`; `pipe:` and `socket:` are those without a path. `control` is a new file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(library: &Path, control: &Path, below: &Path) -> io::Result<Self> {
        fs::write(control, [0; 64])?;
        Ok(Self {
            library: library.to_owned(),
            below: below.to_owned(),
            path: control.to_owned(),
            control: File::options().read(true).write(true).open(control)?,
        })
    }

    /// Has the command run on this disk.
    pub fn on(&self, command: &mut Command) {
        command.envs(self.variables());
    }

    /// The variables by which a process runs on this disk. They must not be those of a program that only starts it.
    #[must_use]
    pub fn variables(&self) -> [(&'static str, &Path); 3] {
        [
            ("LD_PRELOAD", &self.library),
            ("FAULTS_BELOW", &self.below),
            ("FAULTS_CONTROL", &self.path),
        ]
    }

    /// Counts operations of these kinds from now on, and strikes `count` of them, from the one with the number `from` on.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn strike(&self, kinds: u32, from: u32, count: u32, action: Action) -> io::Result<()> {
        self.end()?;
        let (number, value) = match action {
            Action::Fail(errno) => (1, errno),
            Action::Kill => (2, 0),
            Action::Delay(ms) => (3, ms),
            Action::Half => (4, 0),
        };
        for (field, value) in [
            (COUNTED, 0),
            (STRUCK, 0),
            (FROM, from),
            (COUNT, count),
            (VALUE, value),
            (KINDS, kinds),
            (ACTION, number),
        ] {
            self.set(field, value)?;
        }
        Ok(())
    }

    /// The disk works from now on.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn end(&self) -> io::Result<()> {
        self.set(ACTION, 0)
    }

    /// How many operations were counted.
    #[must_use]
    pub fn counted(&self) -> u32 {
        self.get(COUNTED)
    }

    /// How many were struck.
    #[must_use]
    pub fn struck(&self) -> u32 {
        self.get(STRUCK)
    }

    fn set(&self, field: u64, value: u32) -> io::Result<()> {
        self.control.write_all_at(&value.to_ne_bytes(), field * 4)
    }

    fn get(&self, field: u64) -> u32 {
        let mut bytes = [0; 4];
        match self.control.read_exact_at(&mut bytes, field * 4) {
            Ok(()) => u32::from_ne_bytes(bytes),
            Err(_) => 0,
        }
    }
}
