//! Masking of secrets before anything is queued.

/// A value that must not be seen: neither printed nor serialised.
#[derive(Clone)]
pub struct Secret(pub(crate) String);

impl Secret {
    /// Takes the value in.
    #[must_use]
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }
}
