//! Several clones can share a build cache. Cargo identifies a source file by its path in the workspace and its modification
//! time, so an artifact of one clone can look fresh in another, with the wrong paths and code in it.

use std::fs::{self, File};
use std::path::Path;
use std::time::SystemTime;

use crate::install::stamp;
use crate::{Outcome, place, process};

/// Marks all code of this clone for a rebuild if another clone built into the cache last. Returns whether it did; if so, the
/// running program may be the other clone's too.
pub(crate) fn claim() -> Outcome<bool> {
    claim_for(place::root(), &place::target())
}

fn claim_for(clone: &Path, target: &Path) -> Outcome<bool> {
    let stamp = target.join("clone");
    let here = clone.to_string_lossy();
    let last = fs::read_to_string(&stamp).ok();
    if last.as_deref() == Some(&*here) {
        return Ok(false);
    }
    let others = target.exists();
    if others {
        for folder in ["src-tauri", "tests", "xtask"] {
            touch_all(&clone.join(folder))?;
        }
    }
    fs::create_dir_all(target)
        .and_then(|()| fs::write(&stamp, &*here))
        .map_err(|error| format!("{} cannot be written: {error}", stamp.display()))?;
    Ok(others)
}

/// Runs the same verb again with this clone's own program.
pub(crate) fn again(args: &[String]) -> Outcome {
    let mut cargo = process::cargo_here();
    process::start(cargo.arg("xtask").args(args))
}

/// Makes all Rust files below a folder newer than the artifacts built from them.
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    /// A clone with one old file.
    fn clone(folder: &Path) -> std::path::PathBuf {
        let file = folder.join("xtask/src/main.rs");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::create_dir_all(folder.join("src-tauri")).unwrap();
        fs::create_dir_all(folder.join("tests")).unwrap();
        fs::write(&file, "fn main() {}").unwrap();
        let old = UNIX_EPOCH + Duration::from_secs(1);
        File::options()
            .append(true)
            .open(&file)
            .unwrap()
            .set_modified(old)
            .unwrap();
        file
    }

    #[test]
    fn artifacts_of_another_clone_are_not_fresh() {
        let folder = std::env::temp_dir().join(format!("patchbay-clone-{}", std::process::id()));
        // Of an earlier process that had the same number, and failed.
        let _ = fs::remove_dir_all(&folder);
        let (one, other, target) = (folder.join("one"), folder.join("other"), folder.join("target"));
        let files = [clone(&one), clone(&other)];
        let is_old = |at: usize| {
            let time = fs::metadata(&files[at]).unwrap().modified().unwrap();
            time < UNIX_EPOCH + Duration::from_secs(2)
        };
        assert!(!claim_for(&one, &target).unwrap(), "nothing is built yet");
        assert!(!claim_for(&one, &target).unwrap());
        assert!(is_old(0));
        assert!(claim_for(&other, &target).unwrap());
        assert!(is_old(0) && !is_old(1));
        assert_eq!(fs::read_to_string(&files[1]).unwrap(), "fn main() {}");
        assert!(!claim_for(&other, &target).unwrap());
        assert!(claim_for(&one, &target).unwrap());
        assert!(!is_old(0));
        fs::remove_dir_all(&folder).unwrap();
    }
}
