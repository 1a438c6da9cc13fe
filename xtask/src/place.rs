//! Paths: the clone, the cache in the home folder, the build output.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The clone: the parent of this crate's folder. `cargo run` provides it at run time, because the program may have been built
/// in another clone.
pub(crate) fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let folder = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        Path::new(&folder).parent().unwrap_or(Path::new(".")).to_owned()
    })
}

/// `$HOME/.cache/patchbay`: everything that is built or downloaded and is not part of the clone.
pub(crate) fn cache() -> PathBuf {
    let home = env::var_os("HOME")
        .or_else(|| env::var_os("USERPROFILE"))
        .map_or_else(env::temp_dir, PathBuf::from);
    home.join(".cache").join("patchbay")
}

/// The build folder: `CARGO_TARGET_DIR` if it is set, otherwise in the cache, outside the clone.
pub(crate) fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(dir) if !dir.is_empty() => root().join(dir),
        _ => cache().join("target"),
    }
}

/// A built program; `profile` is the folder's name (`debug`, `release`, `dist`).
pub(crate) fn binary(profile: &str, name: &str) -> PathBuf {
    target()
        .join(profile)
        .join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// The folder for the output of test steps.
pub(crate) fn logs() -> PathBuf {
    cache().join("logs")
}
