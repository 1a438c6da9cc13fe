//! Maintains the indexes of text and of values, in memory and on disk.

use bytes::Bytes;
use rusqlite::Connection;

use super::Writer;
use crate::Seq;
use crate::disk::columns::{direction, direction_of};
use crate::disk::read;
use crate::intake::batch::{Batch, Body, ExchangeNews};
use crate::intake::queue::lock;
use crate::query::grams::{self, Pages};
use crate::query::index::SEGMENT;
use crate::shared::Shared;

impl Writer {
    /// Completes the missing values of a batch's records, and adds the records to the text index. Done once per batch, even
    /// if writing it is retried.
    pub(super) fn complete(&self, batch: &mut Batch) {
        let mut pages = lock(&self.shared.text);
        let mut frame: Option<(i64, Bytes)> = None;
        for at in 0..batch.records.len() {
            let record = &batch.records[at];
            let seq = record.seq;
            pages.reach(seq);
            let mut found = None;
            if let Some((of, start, end)) = record.member_of {
                let span = (Some(start as i64), Some(end as i64));
                if let Some(held) = batch.held(of)
                    && let Body::Inline(bytes) | Body::Hashed(_, bytes) = &batch.records[held].body
                {
                    frame = Some((of as i64, bytes.clone()));
                }
                // A value that cannot be read now is missing in the text index only; the record itself is complete.
                found = read::member_bytes(&self.db, of as i64, span, &mut frame).ok();
                if record.direction.is_none() {
                    batch.records[at].direction = direction(direction_of(&self.db, of).ok().flatten());
                }
            }
            let record = &batch.records[at];
            let about = &record.about;
            let body = match &record.body {
                Body::Inline(bytes) | Body::Hashed(_, bytes) => &bytes[..],
                Body::None => found.as_deref().unwrap_or_default(),
            };
            // Most methods, ids and summaries are parts of the body; adding text twice is harmless.
            pages.add(
                seq,
                &[
                    text(&about.method),
                    text(&about.summary),
                    text(&about.rpc_id),
                    body,
                ],
            );
            if let Some(id) = &about.rpc_id {
                pages.add_id(seq, id);
            }
        }
        for (seq, about) in &batch.updates {
            pages.add(
                *seq,
                &[text(&about.method), text(&about.summary), text(&about.rpc_id)],
            );
            if let Some(id) = &about.rpc_id {
                pages.add_id(*seq, id);
            }
        }
        for (seq, news) in &batch.exchanges {
            self.add_exchange(&mut pages, *seq, news);
        }
    }

    /// Adds the text of what is new of an exchange. A text may cross from what was written before.
    fn add_exchange(&self, pages: &mut Pages, seq: Seq, news: &ExchangeNews) {
        pages.add(seq, &[&news.stages]);
        if !news.row.suffix.is_empty() {
            let mut joined = summary_end(&self.db, seq).unwrap_or_default();
            joined.extend_from_slice(news.row.suffix.as_bytes());
            pages.add(seq, &[&joined]);
        }
        let mut end = match news.begins || news.body.is_empty() {
            true => Vec::new(),
            false => last_bytes(&self.db, seq).unwrap_or_default(),
        };
        for chunk in &news.body {
            end.extend_from_slice(&chunk[..chunk.len().min(2)]);
            pages.add(seq, &[&end, chunk]);
            if chunk.len() > 2 {
                end.clear();
                end.extend_from_slice(&chunk[chunk.len() - 2..]);
            } else {
                end.drain(..end.len().saturating_sub(2));
            }
        }
    }

    /// Writes the complete parts of the indexes, or all of it. Unwritten parts are rebuilt from the records.
    pub(super) fn save_indexes(&mut self, all: bool) {
        let current = self.shared.index().last() / SEGMENT;
        let segments: Vec<u64> = self.shared.index().segments();
        let unsaved = segments
            .into_iter()
            .filter(|segment| !self.saved.contains(segment) && (all || *segment < current));
        let unsaved: Vec<u64> = unsaved.collect();
        let pages = lock(&self.shared.text).complete(all);
        if unsaved.is_empty() && pages.is_empty() {
            return;
        }
        match self.write_indexes(&unsaved, &pages) {
            Ok(()) => {
                self.saved.extend(unsaved);
                let mut text = lock(&self.shared.text);
                for page in pages {
                    text.drop_page(page);
                }
            }
            Err(error) => tracing::warn!(%error, "the index of the traffic log cannot be saved"),
        }
    }

    fn write_indexes(&mut self, segments: &[u64], pages: &[u64]) -> rusqlite::Result<()> {
        let transaction = self.db.transaction()?;
        for segment in segments {
            let sets = self.shared.index().save(*segment);
            if let Ok(sets) = sets {
                transaction
                    .prepare_cached("INSERT OR REPLACE INTO facet (segment, sets) VALUES (?1, ?2)")?
                    .execute((*segment as i64, sets))?;
            }
        }
        let mut text: std::sync::MutexGuard<'_, Pages> = lock(&self.shared.text);
        for page in pages {
            text.write(&transaction, *page)?;
        }
        drop(text);
        transaction.commit()
    }
}

fn text(text: &Option<String>) -> &[u8] {
    text.as_deref().unwrap_or_default().as_bytes()
}

/// Marks a record's text as changed, if its page is already on disk.
pub(super) fn text_changed(db: &Connection, shared: &Shared, seq: Seq) -> rusqlite::Result<()> {
    let in_memory = lock(&shared.text).has(seq);
    match in_memory {
        true => Ok(()),
        false => grams::changed(db, seq),
    }
}

/// The last two bytes of a summary so far.
fn summary_end(db: &Connection, seq: Seq) -> rusqlite::Result<Vec<u8>> {
    db.prepare_cached("SELECT coalesce(substr(CAST(summary AS BLOB), -2), x'') FROM record WHERE seq = ?1")?
        .query_row([seq as i64], |row| row.get(0))
}

/// The last two bytes of an exchange's body so far.
fn last_bytes(db: &Connection, exchange: Seq) -> rusqlite::Result<Vec<u8>> {
    let mut select =
        db.prepare_cached("SELECT bytes FROM http_body WHERE seq = ?1 ORDER BY id DESC LIMIT 2")?;
    let mut rows = select.query([exchange as i64])?;
    let mut end = Vec::new();
    while let Some(row) = rows.next()? {
        let bytes = row.get_ref(0)?.as_bytes().unwrap_or_default();
        let taken = &bytes[bytes.len().saturating_sub(2)..];
        end.splice(0..0, taken.iter().copied());
    }
    end.drain(..end.len().saturating_sub(2));
    Ok(end)
}
