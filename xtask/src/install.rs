//! Installs what the build and the tests need: system packages, Node packages, a browser, the pinned peers.

pub(crate) mod browser;
pub(crate) mod llm;
pub(crate) mod node;
pub(crate) mod peers;
pub(crate) mod pins;
pub(crate) mod stamp;
pub(crate) mod system;
pub(crate) mod tools;
