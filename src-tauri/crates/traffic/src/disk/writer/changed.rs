//! Records of earlier batches that changed.

use rusqlite::Connection;

use crate::disk::columns::facets;
use crate::intake::batch::rules;
use crate::query::index::Facets;
use crate::{Seq, Violation};

/// A changed record of an earlier batch: its values before and after.
pub(super) type Changed = (Seq, Facets, Facets);

/// The current values of a record, with the newly found rules.
pub(super) fn changed_from(
    db: &Connection,
    seq: Seq,
    was: Facets,
    violations: &[Violation],
) -> rusqlite::Result<Changed> {
    let mut is = facets(db, seq)?.unwrap_or_default();
    is.rules = rules(violations);
    Ok((seq, was, is))
}
