//! The files in the data folder besides servers, log and vault: locations, lock, stored state.

pub(crate) mod diagnostics;
pub(crate) mod eras;
pub(crate) mod folders;
pub(crate) mod json_file;
pub(crate) mod late_file;
pub(crate) mod lock;
pub(crate) mod temporary;
pub(crate) mod ui_state;
