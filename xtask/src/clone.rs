//! Several clones build into one cache. To cargo a file is its place within its workspace and its time: what one clone built
//! is fresh in another whose files are older, with the other's paths and code in it.

use std::fs::{self, File};
use std::path::Path;
use std::time::SystemTime;

use crate::{Outcome, place, process, stamp};

/// Has all code of this clone built anew if another clone built into the cache last. Whether that is so: then this program
/// may be the other's too.
pub(crate) fn claim() -> Outcome<bool> {
    let target = place::target();
    let stamp = target.join("clone");
    let here = place::root().to_string_lossy();
    let last = fs::read_to_string(&stamp).ok();
    if last.as_deref() == Some(&*here) {
        return Ok(false);
    }
    let others = target.exists();
    if others {
        for folder in ["src-tauri", "tests", "xtask"] {
            touch_all(&place::root().join(folder))?;
        }
    }
    fs::create_dir_all(&target)
        .and_then(|()| fs::write(&stamp, &*here))
        .map_err(|error| format!("{} cannot be written: {error}", stamp.display()))?;
    Ok(others)
}

/// The same verb again, by this clone's own program.
pub(crate) fn again(args: &[String]) -> Outcome {
    let mut cargo = process::cargo_here();
    process::start(cargo.arg("xtask").args(args))
}

/// Makes all Rust files below a folder newer than whatever was built of them.
fn touch_all(folder: &Path) -> Outcome {
    let now = SystemTime::now();
    for path in stamp::files(folder) {
        if path.extension().is_some_and(|extension| extension == "rs") {
            File::options()
                .append(true)
                .open(&path)
                .and_then(|file| file.set_modified(now))
                .map_err(|error| format!("{} cannot be marked as new: {error}", path.display()))?;
        }
    }
    Ok(())
}
