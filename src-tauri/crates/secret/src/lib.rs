//! A value that must not be seen: a token, a client secret, a passphrase, a secret header or variable.
//!
//! Deliberately not here: where secrets are stored (`patchbay-vault`) and how they are masked in the log
//! (`patchbay-traffic`).
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

use std::fmt;

use zeroize::Zeroizing;

/// A value that must not be seen. It cannot be serialized, its `Debug` output hides it, and its memory is overwritten
/// when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes ownership of the value.
    #[must_use]
    pub fn new(value: impl Into<String>) -> Self {
        Self(Zeroizing::new(value.into()))
    }

    /// The value, for the one place that needs it. Everything derived from it is as secret as the value itself.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn debug_output_hides_the_value_and_its_length() {
        let printed = |value: &str| format!("{:?}", Secret::new(value));
        assert_eq!(printed("hunter2-hunter2"), "Secret(…)");
        assert_eq!(printed(""), "Secret(…)");
    }

    /// Does not compile with a field that stays in memory.
    #[test]
    fn the_value_is_overwritten_when_it_is_dropped() {
        fn is_overwritten<T: zeroize::ZeroizeOnDrop>(_: &T) {}
        is_overwritten(&Secret::new("hunter2").0);
    }
}
