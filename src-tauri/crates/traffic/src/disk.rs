//! The file: its tables, opening, reading, writing, exporting, and how large it may become.

pub(crate) mod columns;
pub(crate) mod export;
pub(crate) mod open;
pub(crate) mod quota;
pub(crate) mod read;
pub(crate) mod readers;
pub(crate) mod schema;
pub(crate) mod writer;
