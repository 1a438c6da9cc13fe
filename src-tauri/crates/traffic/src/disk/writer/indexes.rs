//! Maintains the indexes of text and of values, in memory and on disk.

use std::borrow::Cow;

use bytes::Bytes;
use rusqlite::Connection;

use super::Writer;
use crate::Seq;
use crate::disk::columns::{direction, direction_of};
use crate::disk::read;
use crate::intake::batch::{About, Batch, Body, ExchangeNews};
use crate::intake::queue::lock;
use crate::query::grams::{self, Pages};
use crate::query::index::SEGMENT;
use crate::shared::Shared;

/// Texts of a record for the text index. Adding a text twice is harmless.
pub(super) struct Texts<'a> {
    seq: Seq,
    text: Cow<'a, [u8]>,
    /// What is known beside it. Most of it is part of the text too.
    about: Option<&'a About>,
}

impl<'a> Texts<'a> {
    fn new(seq: Seq, text: impl Into<Cow<'a, [u8]>>) -> Self {
        Self {
            seq,
            text: text.into(),
            about: None,
        }
    }

    fn of(seq: Seq, about: &'a About, body: &'a [u8]) -> Self {
        Self {
            about: Some(about),
            ..Self::new(seq, body)
        }
    }
}

/// Adds these texts to the text index, which is locked for one at a time: a search does not wait for a batch.
pub(super) fn add(shared: &Shared, texts: &[Texts<'_>]) {
    for Texts { seq, text, about } in texts {
        let mut pages = lock(&shared.text);
        pages.add(*seq, text);
        let Some(about) = about else { continue };
        for text in [&about.method, &about.summary, &about.rpc_id]
            .into_iter()
            .flatten()
        {
            pages.add(*seq, text.as_bytes());
        }
        if let Some(id) = &about.rpc_id {
            pages.add_id(*seq, id);
        }
    }
}

/// No text.
const NONE: &[u8] = &[];

impl Writer {
    /// Completes what the members of batches lack. Returns their bytes, in order. A value that cannot be read now is missing in the
    /// text index only; the record itself is complete. Done once per batch, even if writing it is retried.
    pub(super) fn complete(&self, batch: &mut Batch) -> Vec<(Seq, Bytes)> {
        let mut members = Vec::new();
        let mut frame: Option<(i64, Bytes)> = None;
        for at in 0..batch.records.len() {
            let record = &batch.records[at];
            let Some((of, start, end)) = record.member_of else {
                continue;
            };
            let span = (Some(start as i64), Some(end as i64));
            if let Some(held) = batch.held(of)
                && let Body::Inline(bytes) | Body::Hashed(_, bytes) = &batch.records[held].body
            {
                frame = Some((of as i64, bytes.clone()));
            }
            if let Ok(bytes) = read::member_bytes(&self.db, of as i64, span, &mut frame) {
                members.push((record.seq, bytes));
            }
            if record.direction.is_none() {
                batch.records[at].direction = direction(direction_of(&self.db, of).ok().flatten());
            }
        }
        members
    }

    /// The texts of a batch, which is not written yet, with the bytes of its members.
    pub(super) fn texts<'a>(&self, batch: &'a Batch, members: &'a [(Seq, Bytes)]) -> Vec<Texts<'a>> {
        let mut texts = Vec::with_capacity(batch.records.len() + batch.updates.len());
        let mut members = members.iter().peekable();
        let mut pages = lock(&self.shared.text);
        for record in &batch.records {
            pages.reach(record.seq);
            let member = members.next_if(|(seq, _)| *seq == record.seq);
            let body = match &record.body {
                Body::Inline(bytes) | Body::Hashed(_, bytes) => &bytes[..],
                Body::None => member.map_or(NONE, |(_, bytes)| bytes),
            };
            texts.push(Texts::of(record.seq, &record.about, body));
        }
        drop(pages);
        let updates = batch.updates.iter();
        texts.extend(updates.map(|(seq, about)| Texts::of(*seq, about, NONE)));
        for (seq, news) in &batch.exchanges {
            self.of_exchange(*seq, news, &mut texts);
        }
        texts
    }

    /// Adds the texts of what is new of an exchange. A text may cross from what was written before.
    fn of_exchange<'a>(&self, seq: Seq, news: &'a ExchangeNews, texts: &mut Vec<Texts<'a>>) {
        texts.push(Texts::new(seq, &news.stages[..]));
        if !news.row.suffix.is_empty() {
            let mut joined = summary_end(&self.db, seq).unwrap_or_default();
            joined.extend_from_slice(news.row.suffix.as_bytes());
            texts.push(Texts::new(seq, joined));
        }
        let mut end = match news.begins || news.body.is_empty() {
            true => Vec::new(),
            false => last_bytes(&self.db, seq).unwrap_or_default(),
        };
        for chunk in &news.body {
            end.extend_from_slice(&chunk[..chunk.len().min(2)]);
            texts.push(Texts::new(seq, end.clone()));
            texts.push(Texts::new(seq, &chunk[..]));
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
