//! Configured servers: the commands that change them, and where their secrets are.

pub(crate) mod handlers;
pub(crate) mod stored;
pub(crate) mod vault;
