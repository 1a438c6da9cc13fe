//! A set of sequence numbers that answers "how many", "which is the n-th" and "at which place" without a scan.
//!
//! One bit a record, in chunks that know their count: a million records take 125 kB a set, and rank and select walk
//! 244 counts. That is why the store needs no index per server and kind on disk, where each would cost every insert.

use crate::Seq;

const WORDS: usize = 64;
const CHUNK: u64 = WORDS as u64 * 64;

#[derive(Clone)]
struct Chunk {
    count: u32,
    words: [u64; WORDS],
}

impl Chunk {
    const EMPTY: Self = Self {
        count: 0,
        words: [0; WORDS],
    };

    fn recount(&mut self) {
        self.count = self.words.iter().map(|word| word.count_ones()).sum();
    }
}

/// A set of sequence numbers.
#[derive(Clone, Default)]
pub(crate) struct SeqSet {
    chunks: Vec<Option<Box<Chunk>>>,
    len: u64,
}

/// Chunk, word in the chunk, bit in the word.
fn place(seq: Seq) -> (usize, usize, u64) {
    (
        (seq / CHUNK) as usize,
        (seq % CHUNK / 64) as usize,
        1 << (seq % 64),
    )
}

impl SeqSet {
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    pub(crate) fn contains(&self, seq: Seq) -> bool {
        let (chunk, word, bit) = place(seq);
        matches!(self.chunks.get(chunk), Some(Some(chunk)) if chunk.words[word] & bit != 0)
    }

    /// Whether it was new.
    pub(crate) fn insert(&mut self, seq: Seq) -> bool {
        let (chunk, word, bit) = place(seq);
        if chunk >= self.chunks.len() {
            self.chunks.resize(chunk + 1, None);
        }
        let chunk = self.chunks[chunk].get_or_insert_with(|| Box::new(Chunk::EMPTY));
        let new = chunk.words[word] & bit == 0;
        if new {
            chunk.words[word] |= bit;
            chunk.count += 1;
            self.len += 1;
        }
        new
    }

    /// Whether it was there.
    pub(crate) fn remove(&mut self, seq: Seq) -> bool {
        let (chunk, word, bit) = place(seq);
        let Some(slot) = self.chunks.get_mut(chunk) else {
            return false;
        };
        let Some(chunk) = slot else { return false };
        let there = chunk.words[word] & bit != 0;
        if there {
            chunk.words[word] &= !bit;
            chunk.count -= 1;
            self.len -= 1;
            if chunk.count == 0 {
                *slot = None;
            }
        }
        there
    }

    /// How many members are smaller than `seq`.
    pub(crate) fn rank(&self, seq: Seq) -> u64 {
        let (chunk, word, bit) = place(seq);
        let before: u64 = self
            .chunks
            .iter()
            .take(chunk)
            .flatten()
            .map(|chunk| u64::from(chunk.count))
            .sum();
        let Some(Some(chunk)) = self.chunks.get(chunk) else {
            return before;
        };
        let words: u32 = chunk.words[..word].iter().map(|word| word.count_ones()).sum();
        before + u64::from(words + (chunk.words[word] & (bit - 1)).count_ones())
    }

    /// The member with `n` members before it.
    pub(crate) fn select(&self, n: u64) -> Option<Seq> {
        let mut left = n;
        for (at, chunk) in self.chunks.iter().enumerate() {
            let Some(chunk) = chunk else { continue };
            if left >= u64::from(chunk.count) {
                left -= u64::from(chunk.count);
                continue;
            }
            for (word_at, word) in chunk.words.iter().enumerate() {
                let ones = u64::from(word.count_ones());
                if left >= ones {
                    left -= ones;
                    continue;
                }
                let mut rest = *word;
                for _ in 0..left {
                    rest &= rest - 1;
                }
                return Some(at as u64 * CHUNK + word_at as u64 * 64 + u64::from(rest.trailing_zeros()));
            }
        }
        None
    }

    /// The members from `from` on, rising.
    pub(crate) fn iter_from(&self, from: Seq) -> impl Iterator<Item = Seq> + '_ {
        let (first, first_word, bit) = place(from);
        self.chunks
            .iter()
            .enumerate()
            .skip(first)
            .flat_map(move |(at, chunk)| {
                chunk.iter().flat_map(move |chunk| {
                    chunk.words.iter().enumerate().flat_map(move |(word_at, word)| {
                        let mut rest = match (at == first, word_at.cmp(&first_word)) {
                            (true, std::cmp::Ordering::Less) => 0,
                            (true, std::cmp::Ordering::Equal) => word & !(bit - 1),
                            _ => *word,
                        };
                        std::iter::from_fn(move || {
                            (rest != 0).then(|| {
                                let bit = rest.trailing_zeros();
                                rest &= rest - 1;
                                at as u64 * CHUNK + word_at as u64 * 64 + u64::from(bit)
                            })
                        })
                    })
                })
            })
    }

    /// Adds the members of `other`.
    pub(crate) fn union(&mut self, other: &Self) {
        if self.chunks.len() < other.chunks.len() {
            self.chunks.resize(other.chunks.len(), None);
        }
        for (slot, theirs) in self.chunks.iter_mut().zip(&other.chunks) {
            let Some(theirs) = theirs else { continue };
            let ours = slot.get_or_insert_with(|| Box::new(Chunk::EMPTY));
            for (word, theirs) in ours.words.iter_mut().zip(&theirs.words) {
                *word |= theirs;
            }
            ours.recount();
        }
        self.recount();
    }

    /// Keeps only members that `other` has too.
    pub(crate) fn intersect(&mut self, other: &Self) {
        for (at, slot) in self.chunks.iter_mut().enumerate() {
            let Some(ours) = slot else { continue };
            let Some(Some(theirs)) = other.chunks.get(at) else {
                *slot = None;
                continue;
            };
            for (word, theirs) in ours.words.iter_mut().zip(&theirs.words) {
                *word &= theirs;
            }
            ours.recount();
            if ours.count == 0 {
                *slot = None;
            }
        }
        self.recount();
    }

    /// Removes the members of `other`.
    pub(crate) fn subtract(&mut self, other: &Self) {
        for (slot, theirs) in self.chunks.iter_mut().zip(&other.chunks) {
            let (Some(ours), Some(theirs)) = (slot.as_mut(), theirs) else {
                continue;
            };
            for (word, theirs) in ours.words.iter_mut().zip(&theirs.words) {
                *word &= !theirs;
            }
            ours.recount();
            if ours.count == 0 {
                *slot = None;
            }
        }
        self.recount();
    }

    /// A copy of the members from `from` on; costs only the chunks it holds.
    pub(crate) fn tail_from(&self, from: Seq) -> Self {
        let (first, first_word, bit) = place(from);
        let mut chunks = vec![None; first.min(self.chunks.len())];
        chunks.extend(self.chunks.iter().skip(first).cloned());
        if let Some(Some(chunk)) = chunks.get_mut(first) {
            chunk.words[..first_word].fill(0);
            chunk.words[first_word] &= !(bit - 1);
            chunk.recount();
        }
        let mut tail = Self { chunks, len: 0 };
        tail.recount();
        tail
    }

    fn recount(&mut self) {
        self.len = self
            .chunks
            .iter()
            .flatten()
            .map(|chunk| u64::from(chunk.count))
            .sum();
    }
}

#[cfg(test)]
mod tests;
