//! Filters and their matches: parsing, the indexes of values and of text, searching, and views that follow the log.

pub(crate) mod filter;
pub(crate) mod grams;
pub(crate) mod index;
pub(crate) mod search;
pub(crate) mod view;
