//! Rules for the source tree: layers and circles, dependencies, shape, words, and the freshness of generated files.

mod architecture;
mod circles;
mod contract;
mod dependencies;
mod limits;
mod shape;
mod styles;
mod tidy;
pub(crate) mod tree;
