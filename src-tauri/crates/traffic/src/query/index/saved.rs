//! The index on disk, so that opening a large log does not read every record: one row per segment of numbers.
//!
//! A segment's row is deleted in the transaction that changes one of its records, and written again when the log reaches
//! the next segment and at shutdown. A segment without a readable row is rebuilt from its records.

use std::io::{self, Read};

use super::{Index, Names, Set, set_of};
use crate::{Kind, LogClass, Seq, Status};

/// The number of records per segment.
pub(crate) const SEGMENT: Seq = 65_536;

const ALL: u8 = 0;
const KINDS: u8 = 1;
const STATUSES: u8 = 2;
const DIRECTIONS: u8 = 3;
const VIOLATIONS: u8 = 4;
const DURATIONS: u8 = 5;
const SIZES: u8 = 6;
const METHODS: u8 = 7;
const TOOLS: u8 = 8;
const RULES: u8 = 9;
const CONNECTIONS: u8 = 10;
const LOGS: u8 = 11;
const LOGGERS: u8 = 12;

/// The key of a set in the index, and its records in the segment.
pub(super) type Part<'a> = (u8, Vec<u8>, &'a Set);

impl Index {
    /// The segments that have records.
    pub(crate) fn segments(&self) -> Vec<u64> {
        let mut segments = Vec::new();
        let mut next = self.all.min();
        while let Some(seq) = next {
            let segment = seq / SEGMENT;
            segments.push(segment);
            let mut iter = self.all.iter();
            iter.advance_to((segment + 1) * SEGMENT);
            next = iter.next();
        }
        segments
    }

    /// Serializes a segment: for each set its key, its length in bytes, and its bytes.
    pub(crate) fn save(&self, segment: u64) -> io::Result<Vec<u8>> {
        let mut mask = Set::default();
        mask.insert_range(segment * SEGMENT..(segment + 1) * SEGMENT);
        let mut bytes = Vec::new();
        for (table, key, set) in self.parts() {
            let set = set & &mask;
            if !set.is_empty() {
                bytes.push(table);
                bytes.extend_from_slice(&(key.len() as u32).to_le_bytes());
                bytes.extend_from_slice(&key);
                set.serialize_into(&mut bytes)?;
            }
        }
        Ok(bytes)
    }

    pub(super) fn parts(&self) -> Vec<Part<'_>> {
        fn numbered<'a>(table: u8, sets: &'a [Set], parts: &mut Vec<Part<'a>>) {
            parts.extend((0_u8..).zip(sets).map(|(at, set)| (table, vec![at], set)));
        }
        fn named<'a>(table: u8, names: &'a Names, parts: &mut Vec<Part<'a>>) {
            let key = |name: &str| [b"n", name.as_bytes()].concat();
            parts.extend(names.sets.iter().map(|(name, set)| (table, key(name), set)));
            parts.push((table, Vec::new(), &names.others));
        }
        let mut parts = vec![
            (ALL, Vec::new(), &self.all),
            (VIOLATIONS, Vec::new(), &self.violations),
        ];
        numbered(KINDS, &self.kinds, &mut parts);
        numbered(STATUSES, &self.statuses, &mut parts);
        numbered(DIRECTIONS, &self.directions, &mut parts);
        numbered(DURATIONS, &self.durations, &mut parts);
        numbered(SIZES, &self.sizes, &mut parts);
        named(METHODS, &self.methods, &mut parts);
        named(TOOLS, &self.tools, &mut parts);
        named(RULES, &self.rules, &mut parts);
        numbered(LOGS, &self.logs, &mut parts);
        named(LOGGERS, &self.loggers, &mut parts);
        let connections = self.by_connection.iter();
        parts.extend(connections.map(|(id, set)| (CONNECTIONS, id.to_le_bytes().to_vec(), set)));
        parts
    }

    /// Loads a saved segment. On an error nothing is loaded.
    pub(crate) fn load(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let mut parts = Vec::new();
        while !bytes.is_empty() {
            let mut head = [0; 5];
            bytes.read_exact(&mut head)?;
            let [table, len @ ..] = head;
            let len = u32::from_le_bytes(len) as usize;
            let key = bytes.split_off(..len).ok_or(io::ErrorKind::UnexpectedEof)?;
            let set = Set::deserialize_from(&mut bytes)?;
            if !valid(table, key) {
                return Err(io::ErrorKind::InvalidData.into());
            }
            parts.push((table, key, set));
        }
        for (table, key, set) in parts {
            let at = key.first().copied().unwrap_or_default() as usize;
            let names = |names: &mut Names| match key.split_first() {
                Some((_, name)) => {
                    let name = String::from_utf8_lossy(name).into_owned();
                    *names.sets.entry(name.into()).or_default() |= &set;
                }
                None => names.others |= &set,
            };
            match table {
                ALL => self.all |= &set,
                VIOLATIONS => self.violations |= &set,
                KINDS => self.kinds[at] |= &set,
                STATUSES => self.statuses[at] |= &set,
                DIRECTIONS => self.directions[at] |= &set,
                DURATIONS => *set_of(&mut self.durations, at) |= &set,
                SIZES => *set_of(&mut self.sizes, at) |= &set,
                METHODS => names(&mut self.methods),
                TOOLS => names(&mut self.tools),
                RULES => names(&mut self.rules),
                LOGS => self.logs[at] |= &set,
                LOGGERS => names(&mut self.loggers),
                _ => {
                    let id = key.try_into().map(i64::from_le_bytes).unwrap_or_default();
                    *self.by_connection.entry(id).or_default() |= &set;
                }
            }
        }
        self.last = self.last.max(self.all.max().unwrap_or(0));
        Ok(())
    }
}

/// Whether a key exists.
fn valid(table: u8, key: &[u8]) -> bool {
    let below = |limit: usize| key.len() == 1 && usize::from(key[0]) < limit;
    match table {
        ALL | VIOLATIONS => key.is_empty(),
        KINDS => below(Kind::ALL.len()),
        STATUSES => below(Status::ALL.len()),
        DIRECTIONS => below(2),
        DURATIONS | SIZES => below(super::CLASSES),
        LOGS => below(LogClass::ALL.len()),
        METHODS | TOOLS | RULES | LOGGERS => true,
        CONNECTIONS => key.len() == 8,
        _ => false,
    }
}
