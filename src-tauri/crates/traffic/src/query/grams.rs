//! The text index: which blocks of records may contain a text, based on runs of one, two and three bytes.
//!
//! The text of each record is split into all its runs of up to three bytes, in lower case; each run is hashed to one of
//! [`HASHES`] numbers. For every block of 64 consecutive records, one bit per number says whether a record has it. A block
//! can only contain a text if it has all of the text's runs; those blocks are then read and searched. So every substring is
//! found, and the results are exact.
//!
//! 64 blocks form a page, which is stored transposed: one word per number, with one bit per block, so that a search reads a
//! few words of a page. The page being filled is in memory. A page that is missing on disk (an older log, a crash) is
//! searched in full: the index only affects the speed, never the result.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension};

use crate::Seq;

/// Records per block.
pub(crate) const BLOCK: Seq = 64;
/// Records per page.
pub(crate) const PAGE: Seq = 64 * BLOCK;
/// Numbers per row of the table: as many as fit one SQLite page.
const SLICE: usize = 504;
/// Rows per page.
pub(crate) const SLICES: usize = 130;
const HASHES: usize = SLICE * SLICES;
/// Entries of the table of runs that a block has already.
const SEEN: usize = 4096;
/// Words for one bit per number.
const OPEN: usize = HASHES.div_ceil(64);
/// Set for a block whose records changed after its page was written: every search must read it.
const CHANGED: usize = 0;
/// At shutdown, a page with fewer blocks than this is not written.
const LEAST_BLOCKS: u32 = 8;
/// The maximum number of runs of a text that are looked up.
const MOST_RUNS: usize = 12;

/// The number of a run: `tagged` has its bytes, and its length above them.
const fn hash(tagged: u32) -> usize {
    let mixed = (tagged.wrapping_mul(0x9E37_79B1) ^ (tagged >> 13)) as u64;
    1 + ((mixed * (HASHES as u64 - 1)) >> 32) as usize
}

/// Sets the bit of a number. It is always below [`OPEN`] × 64; the mask spares the check in the busiest loop of the writer.
fn set(open: &mut [u64; OPEN], hash: usize) {
    const { assert!(OPEN.is_power_of_two()) };
    open[hash / 64 % OPEN] |= 1 << (hash % 64);
}

/// The lengths of runs, above their bytes.
const ONE: u32 = 0x0100_0000;
const TWO: u32 = 0x0200_0000;
const THREE: u32 = 0x0300_0000;

/// The numbers of the runs of one byte.
const BYTES: [u16; 256] = {
    let mut numbers = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        numbers[byte] = hash(one(byte as u8)) as u16;
        byte += 1;
    }
    numbers
};

const fn one(a: u8) -> u32 {
    ONE | a as u32
}

fn two(a: u8, b: u8) -> u32 {
    TWO | u32::from(a) << 8 | u32::from(b)
}

fn three(a: u8, b: u8, c: u8) -> u32 {
    THREE | u32::from(a) << 16 | u32::from(b) << 8 | u32::from(c)
}

/// The place of a run of three bytes in the table of those that were added.
const fn seen_at(run: u32) -> usize {
    (run.wrapping_mul(0x9E37_79B1) >> 20) as usize
}

/// The number of a whole JSON-RPC id.
fn whole(id: &str) -> usize {
    let folded = id.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    hash(folded | 0x8000_0000)
}

/// A page in memory.
pub(crate) struct Page {
    /// One word per number, with one bit per block.
    words: Vec<u64>,
    /// The block being filled, and its numbers, so that adding a run usually touches 8 KB instead of 512.
    block: u32,
    open: Box<[u64; OPEN]>,
    /// Runs of three bytes that were added, each with its block. The records of a block resemble each other: indexing JSON-RPC
    /// messages takes 0.4 of the time that it takes without this table, words 0.8, and random text 1.3.
    seen: Box<[u32; SEEN]>,
}

impl Page {
    fn new() -> Self {
        Self {
            words: vec![0; HASHES],
            block: 0,
            open: Box::new([0; OPEN]),
            seen: Box::new([0; SEEN]),
        }
    }

    fn enter(&mut self, block: u32) {
        if block == self.block {
            return;
        }
        let bit = 1 << self.block;
        for (at, open) in self.open.iter_mut().enumerate() {
            let mut left = std::mem::take(open);
            while left != 0 {
                self.words[at * 64 + left.trailing_zeros() as usize] |= bit;
                left &= left - 1;
            }
        }
        self.block = block;
    }

    fn set(&mut self, hash: usize) {
        set(&mut self.open, hash);
    }

    fn text(&mut self, text: &[u8]) {
        let open = &mut *self.open;
        // No run has the number of no block: a new table is empty.
        let block = (self.block + 1) << 24;
        // The last three bytes.
        let mut run = 0;
        for (at, byte) in text.iter().enumerate() {
            let byte = byte.to_ascii_lowercase();
            run = (run << 8 | u32::from(byte)) & 0xff_ffff;
            if at > 1 {
                let seen = &mut self.seen[seen_at(run)];
                if *seen == block | run {
                    continue;
                }
                *seen = block | run;
                set(open, hash(THREE | run));
            }
            if at > 0 {
                set(open, hash(TWO | run & 0xffff));
            }
            set(open, BYTES[usize::from(byte)].into());
        }
    }

    fn word(&self, hash: usize) -> u64 {
        let open = self.open[hash / 64] >> (hash % 64) & 1;
        self.words[hash] | open << self.block
    }
}

/// The pages that are not on disk yet.
#[derive(Default)]
pub(crate) struct Pages(BTreeMap<u64, Page>);

impl Pages {
    /// Adds text of a record, unless its page is on disk already.
    pub(crate) fn add(&mut self, seq: Seq, text: &[u8]) {
        if let Some(page) = self.at(seq) {
            page.text(text);
        }
    }

    /// Adds the whole id of a record.
    pub(crate) fn add_id(&mut self, seq: Seq, id: &str) {
        if let Some(page) = self.at(seq) {
            page.set(whole(id));
        }
    }

    /// Whether the page of a record is in memory.
    pub(crate) fn has(&self, seq: Seq) -> bool {
        self.0.contains_key(&(seq / PAGE))
    }

    fn at(&mut self, seq: Seq) -> Option<&mut Page> {
        let page = self.0.get_mut(&(seq / PAGE))?;
        page.enter((seq % PAGE / BLOCK) as u32);
        Some(page)
    }

    /// Ensures a page for a new record.
    pub(crate) fn reach(&mut self, seq: Seq) {
        self.0.entry(seq / PAGE).or_insert_with(Page::new);
    }

    /// Ensures a page whose records up to this one are not indexed.
    pub(crate) fn resume(&mut self, last: Seq) {
        let mut page = Page::new();
        let blocks = last % PAGE / BLOCK;
        page.words[CHANGED] = u64::MAX >> (63 - blocks);
        self.0.insert(last / PAGE, page);
    }

    /// The pages to write: the complete ones, and at shutdown the last one, unless it has few records.
    pub(crate) fn complete(&self, at_end: bool) -> Vec<u64> {
        let mut pages: Vec<u64> = self.0.keys().copied().collect();
        if let Some((_, last)) = self.0.last_key_value()
            && !(at_end && last.block >= LEAST_BLOCKS)
        {
            pages.pop();
        }
        pages
    }

    /// Writes a page.
    pub(crate) fn write(&mut self, db: &Connection, page: u64) -> rusqlite::Result<()> {
        let Some(found) = self.0.get_mut(&page) else {
            return Ok(());
        };
        found.enter((found.block + 1) % 64);
        let mut insert = db.prepare_cached("INSERT OR REPLACE INTO text_page (id, words) VALUES (?1, ?2)")?;
        let mut bytes = Vec::with_capacity(SLICE * 8);
        for (slice, words) in found.words.chunks(SLICE).enumerate() {
            // The first row marks the page as present; all other zero rows are omitted.
            if slice > 0 && words.iter().all(|word| *word == 0) {
                continue;
            }
            bytes.clear();
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            insert.execute((row(page, slice), &bytes))?;
        }
        Ok(())
    }

    /// Drops a page that was written.
    pub(crate) fn drop_page(&mut self, page: u64) {
        self.0.remove(&page);
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Loads the page of this record from disk, so that it can be extended.
    pub(crate) fn take(&mut self, db: &Connection, last: Seq) -> rusqlite::Result<()> {
        let number = last / PAGE;
        let mut page = Page::new();
        page.block = (last % PAGE / BLOCK) as u32;
        let mut select = db.prepare("SELECT words FROM text_page WHERE id = ?1")?;
        for (slice, words) in page.words.chunks_mut(SLICE).enumerate() {
            let bytes: Option<Vec<u8>> = select
                .query_row([row(number, slice)], |found| found.get(0))
                .optional()?;
            let Some(bytes) = bytes else {
                if slice == 0 {
                    self.resume(last);
                    return Ok(());
                }
                continue;
            };
            for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
                *word = u64::from_le_bytes(*bytes);
            }
        }
        self.0.insert(number, page);
        db.execute(
            "DELETE FROM text_page WHERE id BETWEEN ?1 AND ?2",
            (row(number, 0), row(number, SLICES - 1)),
        )?;
        Ok(())
    }
}

fn row(page: u64, slice: usize) -> i64 {
    page as i64 * SLICES as i64 + slice as i64
}

/// Marks the block of a record on disk as changed, so that every search reads it.
pub(crate) fn changed(db: &Connection, seq: Seq) -> rusqlite::Result<()> {
    let id = row(seq / PAGE, CHANGED / SLICE);
    let word: Option<Vec<u8>> = db
        .prepare_cached("SELECT substr(words, 1, 8) FROM text_page WHERE id = ?1")?
        .query_row([id], |found| found.get(0))
        .optional()?;
    let Some(word) = word.and_then(|word| <[u8; 8]>::try_from(word).ok()) else {
        return Ok(());
    };
    let old = u64::from_le_bytes(word);
    let new = old | 1 << (seq % PAGE / BLOCK);
    if new != old {
        db.prepare_cached("UPDATE text_page SET words = CAST(?2 || substr(words, 9) AS BLOB) WHERE id = ?1")?
            .execute((id, &new.to_le_bytes()[..]))?;
    }
    Ok(())
}

/// The condition for reading a block: it must have all numbers of one of these lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Needed(Vec<Vec<usize>>);

impl Needed {
    /// For a text.
    pub(crate) fn text(text: &str) -> Self {
        let bytes: Vec<u8> = text.bytes().map(|byte| byte.to_ascii_lowercase()).collect();
        let runs: Vec<u32> = match bytes[..] {
            [] => Vec::new(),
            [a] => vec![one(a)],
            [a, b] => vec![two(a, b)],
            _ => bytes
                .windows(3)
                .map(|run| three(run[0], run[1], run[2]))
                .collect(),
        };
        let step = runs.len().div_ceil(MOST_RUNS).max(1);
        Self(vec![runs.into_iter().step_by(step).map(hash).collect()])
    }

    /// For one of these texts.
    pub(crate) fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self(texts.into_iter().flat_map(|text| Self::text(text).0).collect())
    }

    /// For one of these ids.
    pub(crate) fn ids(ids: &[String]) -> Self {
        Self(ids.iter().map(|id| vec![whole(id)]).collect())
    }

    /// The blocks of a page to read, as bits.
    pub(crate) fn blocks(
        &self,
        page: u64,
        db: &Connection,
        memory: &std::sync::Mutex<Pages>,
    ) -> rusqlite::Result<u64> {
        {
            let pages = crate::intake::queue::lock(memory);
            if let Some(page) = pages.0.get(&page) {
                return self.among(|hash| Ok(Some(page.word(hash))));
            }
        }
        let mut select = db.prepare_cached("SELECT substr(words, ?2, 8) FROM text_page WHERE id = ?1")?;
        self.among(|hash| {
            let place = (row(page, hash / SLICE), (hash % SLICE * 8 + 1) as i64);
            let word: Option<Vec<u8>> = select.query_row(place, |found| found.get(0)).optional()?;
            Ok(word.and_then(|word| word.try_into().ok()).map(u64::from_le_bytes))
        })
    }

    /// Based on the words of a page; without one, every block is read.
    fn among(&self, mut word: impl FnMut(usize) -> rusqlite::Result<Option<u64>>) -> rusqlite::Result<u64> {
        let Some(mut blocks) = word(CHANGED)? else {
            return Ok(u64::MAX);
        };
        for all in &self.0 {
            let mut have = u64::MAX;
            for hash in all {
                if have != 0 {
                    have &= word(*hash)?.unwrap_or(0);
                }
            }
            blocks |= have;
        }
        Ok(blocks)
    }
}

#[cfg(test)]
mod tests;
