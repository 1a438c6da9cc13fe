//! Finds the Chromium that Playwright drives.

use std::env;
use std::path::PathBuf;

use crate::process;

/// Debian's Chromium without a window: the same engine, but it starts and ends several times faster than `chromium --headless`.
/// Ubuntu does not have it; there Playwright downloads its own.
pub(crate) const PACKAGE: &str = "chromium-headless-shell";

/// `PATCHBAY_CHROMIUM`, or the first known name on the PATH.
pub(crate) fn find() -> Option<PathBuf> {
    if let Some(file) = env::var_os("PATCHBAY_CHROMIUM") {
        return Some(PathBuf::from(file));
    }
    [
        PACKAGE,
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ]
    .into_iter()
    .find_map(process::which)
}
