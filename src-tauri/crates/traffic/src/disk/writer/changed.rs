//! Records of earlier batches that changed.

use rusqlite::Connection;

use crate::disk::columns::facets;
use crate::intake::batch::rules;
use crate::query::index::Facets;
use crate::{Seq, Violation};

/// A record of an earlier batch that changed: what it was, and what it is.
pub(super) type Changed = (Seq, Facets, Facets);

/// What became of a record, with the rules that were found now.
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
