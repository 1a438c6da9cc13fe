//! Remembered definitions of tools: what a server lists is compared with what the user accepted, and a tool whose
//! definition changed is not called until the change is accepted.

mod compare;
mod gate;
pub(crate) mod handlers;
mod remember;
mod snapshot;
mod store;
#[cfg(test)]
mod tests;

pub(crate) use gate::{check_call, check_message};
pub(crate) use remember::{forget, remember};
pub(crate) use snapshot::Snapshot;
pub(crate) use store::DefinitionStore;
