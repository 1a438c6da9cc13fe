//! Runs of digits that write bytes: base64, hex and base32.
//!
//! A run may begin before what was encoded (`key/c2VjcmV0…`), so it is decoded at each alignment. Line breaks within a run do
//! not end it. Both alphabets of base64 are read at once.

use std::ops::Range;

use super::views::View;

/// Shorter runs hold no secret of 8 characters that is not one of its forms already.
const SHORTEST: usize = 11;
/// The same for base32, whose digits are those of words.
const LONG: usize = 18;
/// Separates what was decoded from different runs.
const BETWEEN: u8 = 0x1f;
/// Not a digit.
const NONE: u8 = 0xff;

/// Digits that stand for bits.
#[derive(Clone, Copy)]
pub(super) struct Digits {
    values: &'static [u8; 256],
    /// The number of bits of a digit.
    bits: u32,
    /// The number of digits after which bytes begin at a digit again.
    alignments: usize,
    /// Shorter runs are not looked at.
    shortest: usize,
    /// The most digits that have bits of one byte.
    spans: usize,
    /// The digits that gzip and zlib begin with.
    pub(super) packed_first: (u8, u8),
}

pub(super) const BASE64: Digits = Digits {
    values: &BASE64_VALUES,
    bits: 6,
    alignments: 4,
    shortest: SHORTEST,
    spans: 2,
    packed_first: (b'H', b'e'),
};

pub(super) const HEX: Digits = Digits {
    values: &HEX_VALUES,
    bits: 4,
    alignments: 2,
    shortest: SHORTEST,
    spans: 2,
    packed_first: (b'1', b'7'),
};

/// In one case only: words of a text have both. A secret by itself is found by its forms, so the runs that are read have the
/// length of an encoding that is encoded.
pub(super) const BASE32_UPPER: Digits = Digits {
    values: &BASE32_UPPER_VALUES,
    bits: 5,
    alignments: 8,
    shortest: LONG,
    spans: 3,
    packed_first: (b'D', b'P'),
};

pub(super) const BASE32_LOWER: Digits = Digits {
    values: &BASE32_LOWER_VALUES,
    packed_first: (b'd', b'p'),
    ..BASE32_UPPER
};

static BASE64_VALUES: [u8; 256] = values(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    b"-_",
    62,
);
static BASE32_UPPER_VALUES: [u8; 256] = values(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", b"", 0);
static BASE32_LOWER_VALUES: [u8; 256] = values(b"abcdefghijklmnopqrstuvwxyz234567", b"", 0);
static HEX_VALUES: [u8; 256] = values(b"0123456789abcdef", b"ABCDEF", 10);

/// The value of each digit; `also` are further digits, whose values begin at `from`.
const fn values(digits: &[u8], also: &[u8], from: u8) -> [u8; 256] {
    let mut values = [NONE; 256];
    let mut at = 0;
    while at < digits.len() {
        values[digits[at] as usize] = at as u8;
        at += 1;
    }
    at = 0;
    while at < also.len() {
        values[also[at] as usize] = from + at as u8;
        at += 1;
    }
    values
}

impl Digits {
    /// Where the text has runs that are long enough.
    pub(super) fn runs(self, text: &[u8]) -> Vec<Range<usize>> {
        self.runs_of(text, self.shortest)
    }

    /// The runs that have at least so many digits.
    pub(super) fn runs_of(self, text: &[u8], shortest: usize) -> Vec<Range<usize>> {
        let shortest = shortest.max(self.shortest);
        let mut runs = Vec::new();
        let wraps = memchr::memchr2(b'\r', b'\n', text).is_some();
        let mut at = 0;
        while at + shortest <= text.len() {
            // Without line breaks, a run has all of these bytes or begins after the last one that is no digit.
            let ahead = &text[at..at + shortest];
            if !wraps && let Some(other) = ahead.iter().rposition(|byte| !self.is_digit(*byte)) {
                at += other + 1;
                continue;
            }
            let (end, digits) = self.run(&text[at..]);
            if digits >= shortest {
                runs.push(at..at + end);
            }
            at += end.max(1);
        }
        runs
    }

    /// The run at the beginning of the text: where it ends, and its number of digits.
    fn run(self, text: &[u8]) -> (usize, usize) {
        let (mut end, mut digits, mut at) = (0, 0, 0);
        // Whether there was a line break since the last digit.
        let mut broken = false;
        while let Some(byte) = text.get(at) {
            at += 1;
            match byte {
                byte if self.is_digit(*byte) => {
                    (end, broken) = (at, false);
                    digits += 1;
                }
                b'\r' | b'\n' if digits > 0 => broken = true,
                b' ' | b'\t' if broken => {}
                _ => break,
            }
        }
        (end, digits)
    }

    fn is_digit(self, byte: u8) -> bool {
        self.values[usize::from(byte)] != NONE
    }

    /// What the runs write, at each alignment.
    pub(super) fn views(self, text: &[u8], runs: &[Range<usize>], mut each: impl FnMut(&View)) {
        if runs.is_empty() {
            return;
        }
        let mut view = View::default();
        for alignment in 0..self.alignments {
            view.bytes.clear();
            view.at.clear();
            for run in runs {
                if !view.bytes.is_empty() {
                    view.bytes.push(BETWEEN);
                    view.at.push(run.start as u32);
                }
                self.decode(text, run.clone(), alignment, &mut view);
            }
            view.digits = Some(self);
            view.at.push(runs[runs.len() - 1].end as u32);
            each(&view);
        }
    }

    /// Decodes a run without its first digits.
    fn decode(self, text: &[u8], run: Range<usize>, skipped: usize, view: &mut View) {
        let (mut bits, mut value, mut begun) = (0, 0_u32, 0);
        let digits = text[run.clone()]
            .iter()
            .zip(run)
            .filter(|(byte, _)| self.is_digit(**byte));
        for (byte, at) in digits.skip(skipped) {
            if bits == 0 {
                begun = at;
            }
            value = value << self.bits | u32::from(self.values[usize::from(*byte)]);
            bits += self.bits;
            if bits >= 8 {
                bits -= 8;
                view.bytes.push((value >> bits) as u8);
                view.at.push(begun as u32);
                begun = at;
            }
        }
    }

    /// The bytes that the digits write from the first one on, to their end.
    pub(super) fn bytes(self, text: &[u8]) -> Bytes<'_> {
        Bytes {
            digits: self,
            text,
            at: 0,
            bits: 0,
            value: 0,
        }
    }

    /// Where the last of the digits ends that have the bits of a byte, from the first one on.
    pub(super) fn after(self, text: &[u8], first: usize) -> usize {
        let digits = text[first..]
            .iter()
            .enumerate()
            .filter(|(_, byte)| self.is_digit(**byte));
        digits
            .take(self.spans)
            .last()
            .map_or(text.len(), |(at, _)| first + at + 1)
    }
}

/// The bytes that a run of digits writes.
#[derive(Clone)]
pub(super) struct Bytes<'a> {
    digits: Digits,
    text: &'a [u8],
    at: usize,
    bits: u32,
    value: u32,
}

impl Iterator for Bytes<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.get(self.at)?;
            self.at += 1;
            let value = self.digits.values[usize::from(byte)];
            if value == NONE {
                continue;
            }
            self.value = self.value << self.digits.bits | u32::from(value);
            self.bits += self.digits.bits;
            if self.bits >= 8 {
                self.bits -= 8;
                return Some((self.value >> self.bits) as u8);
            }
        }
    }
}
