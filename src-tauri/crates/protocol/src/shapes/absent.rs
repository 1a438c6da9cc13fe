//! Members that a revision does not have: they may be anything, also where a later revision gives them a type.

use super::methods;
use super::table::Shape;
use crate::{Revision, Rule, Violation};

/// Drops violations of the types of members that the revision does not have. Views read the members of all revisions.
/// Pointers are into the message, whose method this is.
pub fn drop_absent(revision: Revision, method: &str, violations: &mut Vec<Violation>) {
    let Some(method) = methods::method(method, revision) else {
        return;
    };
    violations.retain(|violation| {
        let pointer = violation.pointer.as_deref().unwrap_or_default();
        let (shape, below) = match (pointer.strip_prefix("/params/"), pointer.strip_prefix("/result/")) {
            (Some(below), _) => (&method.params, below),
            (_, Some(below)) => (&method.result, below),
            _ => return true,
        };
        let is_absent = || {
            shape
                .as_ref()
                .is_some_and(|shape| is_absent(revision, shape, below))
        };
        violation.rule != Rule::MemberType || !is_absent()
    });
}

/// Whether a pointer leads through a member that the revision does not have.
fn is_absent(revision: Revision, shape: &Shape, pointer: &str) -> bool {
    let mut shape = shape;
    for part in pointer.split('/') {
        shape = match shape {
            Shape::Record(record) => match record.fields.iter().find(|field| field.name == part) {
                Some(field) if !field.exists(revision) => return true,
                Some(field) => &field.shape,
                None => return false,
            },
            Shape::List(of) | Shape::Most(_, of) | Shape::Map(of) => of,
            _ => return false,
        };
    }
    false
}
