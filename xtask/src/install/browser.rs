//! Finds the Chromium that Playwright drives.

use std::env;
use std::path::PathBuf;

use crate::process;

/// `PATCHBAY_CHROMIUM`, or the first known name on the PATH.
pub(crate) fn find() -> Option<PathBuf> {
    if let Some(file) = env::var_os("PATCHBAY_CHROMIUM") {
        return Some(PathBuf::from(file));
    }
    [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ]
    .into_iter()
    .find_map(process::which)
}
