//! Compressed text within a text: gzip, zlib and raw deflate (RFC 1950 to 1952), written in digits (base64, hex, base32) or as
//! bytes.
//!
//! Which digits of compressed data hold a secret cannot be told, so data that holds one is masked to the end of its digits.
//!
//! The work for one text is bounded ([`WORK`]). What is beyond that is not searched and therefore masked too: every run of digits
//! from there on that may be compressed. A peer that sends too much hides nothing by it but its own text.
//!
//! Deliberately not here: brotli and zstd (nothing that answers in text writes them), archives and images, whose parts are
//! compressed one by one.

use std::ops::Range;

use memchr::memmem;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags as flags};
use zeroize::Zeroize as _;

use super::runs::{BASE32_LOWER, BASE32_UPPER, BASE64, Digits, HEX};

/// How many bytes are read and written for one text in order to search what is compressed in it.
pub(super) const WORK: usize = 16 << 20;
/// An attempt that ends after so many bytes costs nothing: most of what may be compressed is not, and there are at most as many
/// attempts as a text has characters.
const FREE: usize = 128;
/// Shorter runs of digits cannot hold a compressed secret: 8 characters take 10 bytes in raw deflate.
const SHORTEST: usize = 14;
/// Compressed data may begin after each of so many digits that are punctuation: `keys/H4sI…`.
const PARTS: usize = 3;
/// Less than that holds no secret that counts within other text.
const LEAST: usize = 4;
const GZIP: &[u8] = &[0x1f, 0x8b, 8];

/// What may be read and written for one text, and what that is done with.
pub(super) struct Budget(usize, Option<Unpacker>);

impl Budget {
    pub(super) fn new() -> Self {
        Self(WORK, None)
    }

    fn spend(&mut self, work: usize, free: &mut usize) {
        let paid = work.saturating_sub(*free);
        *free -= work - paid;
        self.0 = self.0.saturating_sub(paid);
    }
}

/// A place where compressed data is.
pub(super) struct Packed {
    pub(super) range: Range<usize>,
    /// Whether it is masked. Otherwise it goes on beyond the text, and what is there has no secret so far.
    pub(super) is_masked: bool,
}

/// Searches what is compressed. `holds` says whether an unpacked text has a secret, or the beginning of one if it is cut off.
pub(super) fn find(
    text: &[u8],
    budget: &mut Budget,
    holds: &mut dyn FnMut(&[u8], bool, &mut Budget) -> bool,
) -> Vec<Packed> {
    let mut search = Search {
        text,
        budget,
        holds,
        found: Vec::new(),
    };
    let runs = BASE64.runs_of(text, SHORTEST);
    // The digits of the others are digits of base64.
    if !runs.is_empty() {
        for digits in [HEX, BASE32_UPPER, BASE32_LOWER] {
            for run in digits.runs_of(text, SHORTEST) {
                search.run(digits, run);
            }
        }
    }
    for run in runs {
        search.run(BASE64, run);
    }
    search.bytes();
    search.found
}

/// How compressed data begins.
#[derive(Clone, Copy, PartialEq)]
enum Format {
    Gzip,
    Zlib,
    Raw,
}

/// How unpacking ended.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// With the data.
    Done,
    /// The text ended before the data did.
    Cut,
    /// It is not compressed data, or damaged.
    Broken,
    /// The budget is spent.
    TooMuch,
}

struct Search<'a> {
    text: &'a [u8],
    budget: &'a mut Budget,
    holds: &'a mut dyn FnMut(&[u8], bool, &mut Budget) -> bool,
    found: Vec<Packed>,
}

impl Search<'_> {
    /// Searches data that begins anywhere in a run, up to the first that is masked: it is masked to the end of the run.
    fn run(&mut self, digits: Digits, run: Range<usize>) {
        let text = self.text;
        let head = &text[run.clone()];
        let parts = head.iter().take(4 * SHORTEST).enumerate();
        let parts = parts.filter(|(_, byte)| b"+/-_".contains(byte));
        let parts = parts.take(PARTS).map(|(at, _)| run.start + at + 1);
        for at in std::iter::once(run.start).chain(parts) {
            let bytes = digits.bytes(&text[at..run.end]);
            if self.begins_at(bytes, Format::Raw, at..run.end) {
                return;
            }
        }
        let (gzip, zlib) = digits.packed_first;
        for found in memchr::memchr2_iter(gzip, zlib, head).skip_while(|at| *at == 0) {
            let at = run.start + found;
            let mut bytes = digits.bytes(&text[at..run.end]);
            let first = [bytes.next(), bytes.next(), bytes.next()];
            let common = match first {
                [Some(0x78), Some(0x01 | 0x5e | 0x9c | 0xda), _] => Format::Zlib,
                [Some(0x1f), Some(0x8b), Some(8)] => Format::Gzip,
                _ => continue,
            };
            let bytes = digits.bytes(&text[at..run.end]);
            if self.begins_at(bytes, common, at..run.end) {
                return;
            }
        }
    }

    /// Searches data that is written as bytes: gzip anywhere, zlib as the whole text.
    fn bytes(&mut self) {
        let text = self.text;
        if format(text.iter().copied()) == Some(Format::Zlib) {
            self.begins_at(text.iter().copied(), Format::Zlib, 0..text.len());
        }
        for at in memmem::find_iter(text, GZIP) {
            if self.begins_at(text[at..].iter().copied(), Format::Gzip, at..text.len()) {
                return;
            }
        }
    }

    /// Searches data that may begin here, and says whether the range is masked. `unmarked` is the format if the first bytes do
    /// not tell it.
    fn begins_at(
        &mut self,
        bytes: impl Iterator<Item = u8> + Clone,
        unmarked: Format,
        range: Range<usize>,
    ) -> bool {
        let marked = format(bytes.clone());
        let formats = [marked, Some(unmarked).filter(|format| marked != Some(*format))];
        for format in formats.into_iter().flatten() {
            if format == Format::Raw && !may_be_raw(bytes.clone()) {
                continue;
            }
            let is_masked = match self.unpack(bytes.clone(), format) {
                End::Cut => false,
                End::TooMuch => true,
                _ => continue,
            };
            let range = range.clone();
            self.found.push(Packed { range, is_masked });
            if is_masked {
                return true;
            }
        }
        false
    }

    /// Unpacks, and searches what was written. Data that holds a secret is reported as too much: both are masked.
    fn unpack(&mut self, mut bytes: impl Iterator<Item = u8>, format: Format) -> End {
        if self.budget.0 == 0 {
            return End::TooMuch;
        }
        if skip_header(&mut bytes, format).is_none() {
            return End::Broken;
        }
        let mut unpacker = self.budget.1.take().unwrap_or_default();
        let (end, length) = unpacker.unpack(bytes, self.budget);
        let is_cut = end == End::Cut;
        // What it wrote before it turned out to be damaged can be read by others too.
        let is_secret = end != End::TooMuch
            && length >= LEAST
            && (self.holds)(&unpacker.out[..length], is_cut, self.budget);
        self.budget.1 = Some(unpacker);
        if is_secret { End::TooMuch } else { end }
    }
}

/// The format that the first bytes name.
fn format(mut bytes: impl Iterator<Item = u8>) -> Option<Format> {
    let (first, second) = (bytes.next()?, bytes.next()?);
    let is_zlib = first & 0x0f == 8
        && first >> 4 <= 7
        && second & 0x20 == 0
        && (u16::from(first) << 8 | u16::from(second)).is_multiple_of(31);
    if is_zlib {
        return Some(Format::Zlib);
    }
    ([first, second, bytes.next()?] == GZIP).then_some(Format::Gzip)
}

/// Reads what is before the compressed data.
fn skip_header(bytes: &mut impl Iterator<Item = u8>, format: Format) -> Option<()> {
    match format {
        Format::Raw => {}
        Format::Zlib => {
            bytes.nth(1)?;
        }
        Format::Gzip => {
            let flags = bytes.nth(3)?;
            bytes.nth(5)?;
            if flags & 4 != 0 {
                let length = usize::from(bytes.next()?) | usize::from(bytes.next()?) << 8;
                if length > 0 {
                    bytes.nth(length - 1)?;
                }
            }
            // A name and a comment, each ended by a zero.
            for flag in [8, 16] {
                if flags & flag != 0 {
                    bytes.find(|byte| *byte == 0)?;
                }
            }
            if flags & 2 != 0 {
                bytes.nth(1)?;
            }
        }
    }
    Some(())
}

/// Whether raw deflate of a text may begin with these bytes. Most words of a text are refused here, at little cost: by the first
/// literals of a block with fixed codes, the lengths of the codes of one with its own, the two lengths of one that is stored.
fn may_be_raw(bytes: impl Iterator<Item = u8>) -> bool {
    let mut head = [0; 16];
    for (place, byte) in head.iter_mut().zip(bytes) {
        *place = byte;
    }
    let bits = u128::from_le_bytes(head);
    match (bits >> 1) & 3 {
        0 => head[1] == !head[3] && head[2] == !head[4],
        1 => begins_with_text(bits >> 3),
        2 => {
            let (literals, distances) = ((bits >> 3) & 31, (bits >> 8) & 31);
            let lengths = (0..((bits >> 13) & 15) + 4).map(|number| (bits >> (17 + 3 * number)) & 7);
            let sum: u32 = lengths
                .filter(|length| *length > 0)
                .map(|length| 128 >> length)
                .sum();
            literals < 30 && distances < 30 && sum == 128
        }
        _ => false,
    }
}

/// Whether the first symbols in the fixed codes of deflate (RFC 1951 section 3.2.6) are those of a text.
fn begins_with_text(mut bits: u128) -> bool {
    for number in 0..4 {
        let code = ((bits & 0xff) as u8).reverse_bits();
        let literal = match code {
            // 7 bits: the end, or a repetition, which must have something to repeat.
            0..=0x2f => return number > 0,
            0x30..=0xbf => code - 0x30,
            // 8 bits: a longer repetition.
            0xc0..=0xc7 => return number > 0,
            // 9 bits.
            _ => ((code - 0xc8) << 1 | ((bits >> 8) & 1) as u8) + 144,
        };
        bits >>= if code > 0xc7 { 9 } else { 8 };
        let is_text = matches!(literal, 0 | b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0xc2..=0xf4 | 0xfe | 0xff);
        if !(is_text || number > 0 && literal >= 0x80) {
            return false;
        }
    }
    true
}

/// Unpacks raw deflate. What it wrote is overwritten when it is dropped.
#[derive(Default)]
struct Unpacker {
    state: Box<DecompressorOxide>,
    out: Vec<u8>,
    /// The most that was written.
    used: usize,
}

impl Drop for Unpacker {
    fn drop(&mut self) {
        self.out[..self.used].zeroize();
    }
}

impl Unpacker {
    /// Unpacks as far as that is possible. Returns how it ended and how many bytes were written.
    fn unpack(&mut self, mut bytes: impl Iterator<Item = u8>, budget: &mut Budget) -> (End, usize) {
        const FLAGS: u32 = flags::TINFL_FLAG_HAS_MORE_INPUT | flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        self.state.init();
        let mut free = FREE;
        let mut piece = [0; 4096];
        // Most attempts end after a few bytes.
        let mut size = 32;
        let mut written = 0;
        loop {
            let mut length = 0;
            for (place, byte) in piece[..size].iter_mut().zip(&mut bytes) {
                *place = byte;
                length += 1;
            }
            if length == 0 {
                return (End::Cut, written);
            }
            budget.spend(length, &mut free);
            size = (size * 2).min(piece.len());
            let mut input = &piece[..length];
            loop {
                if self.out.len() < written + 512 && !self.grow(budget) {
                    return (End::TooMuch, written);
                }
                let (status, read, wrote) = decompress(&mut self.state, input, &mut self.out, written, FLAGS);
                written += wrote;
                self.used = self.used.max(written);
                budget.spend(wrote, &mut free);
                input = &input[read..];
                match status {
                    TINFLStatus::Done => return (End::Done, written),
                    TINFLStatus::NeedsMoreInput => break,
                    TINFLStatus::HasMoreOutput => {
                        if !self.grow(budget) {
                            return (End::TooMuch, written);
                        }
                    }
                    _ => return (End::Broken, written),
                }
            }
        }
    }

    /// Makes room for more output, if the budget allows it.
    fn grow(&mut self, budget: &Budget) -> bool {
        if budget.0 == 0 {
            return false;
        }
        let mut larger = vec![0; (self.out.len() * 2).max(4096)];
        larger[..self.used].copy_from_slice(&self.out[..self.used]);
        self.out[..self.used].zeroize();
        self.out = larger;
        true
    }
}
