//! The file: schema, opening, reading, writing, export, quota.

pub(crate) mod columns;
pub(crate) mod export;
pub(crate) mod open;
pub(crate) mod quota;
pub(crate) mod read;
pub(crate) mod readers;
pub(crate) mod schema;
pub(crate) mod writer;
