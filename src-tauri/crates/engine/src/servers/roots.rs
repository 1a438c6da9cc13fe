//! Roots: the folders that servers may work in, from their settings and from shared sets, as far as the user allowed them.

pub(crate) mod checks;
pub(crate) mod entries;
pub(crate) mod folders;
pub(crate) mod handlers;
mod live;
mod store;
mod watch;

pub(crate) use live::LiveRoots;
pub(crate) use store::RootStore;
pub(crate) use watch::{announce, watch};
