//! Configured servers: the commands that change them, and the storage of their secrets.

pub(crate) mod automatic;
pub(crate) mod bundles;
pub(crate) mod changes;
pub(crate) mod file_watch;
pub(crate) mod groups;
pub(crate) mod handlers;
pub(crate) mod host_watch;
pub(crate) mod registry;
pub(crate) mod roots;
pub(crate) mod stored;
pub(crate) mod terminal;
pub(crate) mod vault;
