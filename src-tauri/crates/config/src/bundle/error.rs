//! Why a bundle cannot be used.

/// A bundle cannot be used: the step that failed, why, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{step} failed: {cause} {next}")]
pub struct BundleError {
    /// The failed step, as the start of a sentence: `Reading the bundle`.
    pub step: &'static str,
    /// Why, as a sentence.
    pub cause: String,
    /// What to do next, as a sentence.
    pub next: &'static str,
}

/// What to do with an archive that nobody should trust.
pub(super) const ASK_AUTHOR: &str = "Do not use this file; ask its author for a correct one.";
/// What to do with an archive that arrived incomplete.
pub(super) const GET_AGAIN: &str = "Download or build the bundle again.";

impl BundleError {
    pub(super) fn new(step: &'static str, cause: impl Into<String>, next: &'static str) -> Self {
        Self {
            step,
            cause: cause.into(),
            next,
        }
    }

    /// The archive cannot be read.
    pub(super) fn reading(cause: impl Into<String>, next: &'static str) -> Self {
        Self::new("Reading the bundle", cause, next)
    }

    /// The manifest cannot be used.
    pub(super) fn manifest(cause: impl Into<String>) -> Self {
        Self::new(
            "Reading manifest.json of the bundle",
            cause,
            "Ask the author of the bundle for a correct one.",
        )
    }
}
