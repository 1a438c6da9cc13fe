//! Unpacks a checked archive into a folder that nobody has used before.

use std::{
    fs::File,
    io::{self, Read, Seek},
    path::Path,
};

use zip::ZipArchive;

use super::{
    archive::{Entry, damaged},
    error::{ASK_AUTHOR, BundleError, GET_AGAIN},
};
use crate::files::{SUFFIX, UNFINISHED, make_private_folder, open_private};

/// Unpacks `entries` as `folder`, which must not exist. `programs` are made executable, as is what the archive says is.
pub(super) fn unpack<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    entries: &[Entry],
    programs: &[String],
    folder: &Path,
) -> Result<(), BundleError> {
    let parent = folder.parent().unwrap_or(Path::new("."));
    make_private_folder(parent).map_err(|error| not_written(&error, parent))?;
    // Deleted again when anything below fails. Its owner alone may read it.
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let unfinished = builder
        .tempdir_in(parent)
        .map_err(|error| not_written(&error, parent))?;
    for entry in entries {
        let path = unfinished.path().join(entry.path());
        if entry.is_dir {
            make_private_folder(&path).map_err(|error| not_written(&error, &path))?;
            continue;
        }
        if let Some(parent) = path.parent() {
            make_private_folder(parent).map_err(|error| not_written(&error, parent))?;
        }
        let is_program = entry.is_executable || programs.contains(&entry.name);
        write(archive, entry, &path, is_program)?;
    }
    std::fs::rename(unfinished.path(), folder).map_err(|error| not_written(&error, folder))?;
    // It has its place: there is nothing to delete any more.
    let _ = unfinished.keep();
    Ok(())
}

fn write<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    entry: &Entry,
    path: &Path,
    is_program: bool,
) -> Result<(), BundleError> {
    let packed = archive.by_index(entry.index).map_err(|error| damaged(&error))?;
    // New: what is there already is another file of the bundle with the same name.
    let file = open_private(path, File::options().write(true).create_new(true));
    let mut file = file.map_err(|error| not_written(&error, path))?;
    // One byte more than the archive says there is: then it lies.
    let written = io::copy(&mut packed.take(entry.size + 1), &mut file);
    let written = written.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            damaged(&error.into())
        }
        // The crate reports a checksum that does not match as another error.
        io::ErrorKind::Other => damaged(&error.into()),
        _ => not_written(&error, path),
    })?;
    if written != entry.size {
        return Err(BundleError::reading(
            format!(
                "`{}` has not the size that the archive gives ({} bytes).",
                entry.name, entry.size
            ),
            GET_AGAIN,
        ));
    }
    if is_program {
        make_executable(&file).map_err(|error| not_written(&error, path))?;
    }
    Ok(())
}

#[cfg(unix)]
fn make_executable(file: &File) -> io::Result<()> {
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700))
}

#[cfg(not(unix))]
fn make_executable(_: &File) -> io::Result<()> {
    Ok(())
}

fn not_written(error: &io::Error, path: &Path) -> BundleError {
    let cause = format!("{} cannot be written ({error}).", path.display());
    let next = match error.kind() {
        // The folder is new: another file of the bundle is there, perhaps under a name that differs only in case.
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => ASK_AUTHOR,
        _ => "Make room, or allow writing to the data folder, then add the bundle again.",
    };
    BundleError::new("Unpacking the bundle", cause, next)
}
