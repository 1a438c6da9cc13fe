//! Exact JSON: key order, number text and duplicate keys are preserved; values are slices of the source text.
//!
//! Nothing here is recursive, so nesting cannot overflow the stack.

mod edit;
mod object;
mod pretty;
mod scan;
mod text;
mod value;

pub use edit::with_meta;
pub use object::{Member, Object, array, array_within, member};
pub(crate) use object::{member_name, members};
pub use pretty::{compact, pretty};
pub use scan::{JsonError, well_formed};
pub(crate) use scan::{Problem, Scanner};
pub use text::{one_line, push_quoted, quote, string};
pub(crate) use value::trim;
pub use value::{Kind, boolean, integer, kind, number, span_of};

#[cfg(test)]
mod tests;
