//! Runs of digits that write bytes: base64 and hex.
//!
//! A run may begin before what was encoded (`key/c2VjcmV0…`), so it is decoded at each alignment. Line breaks within a run do
//! not end it. Both alphabets of base64 are read at once.

use std::ops::Range;

use super::views::View;

/// Shorter runs hold no secret of 8 characters that is not one of its forms already.
const SHORTEST: usize = 11;
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
}

pub(super) const BASE64: Digits = Digits {
    values: &BASE64_VALUES,
    bits: 6,
    alignments: 4,
};

pub(super) const HEX: Digits = Digits {
    values: &HEX_VALUES,
    bits: 4,
    alignments: 2,
};

static BASE64_VALUES: [u8; 256] = values(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    b"-_",
    62,
);
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
        let mut runs = Vec::new();
        let wraps = memchr::memchr2(b'\r', b'\n', text).is_some();
        let mut at = 0;
        while at + SHORTEST <= text.len() {
            // Without line breaks, a run has all of these bytes or begins after the last one that is no digit.
            let ahead = &text[at..at + SHORTEST];
            if !wraps && let Some(other) = ahead.iter().rposition(|byte| !self.is_digit(*byte)) {
                at += other + 1;
                continue;
            }
            let (end, digits) = self.run(&text[at..]);
            if digits >= SHORTEST {
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

    /// Where the last of the two digits ends that have the bits of a byte, from the first one on.
    pub(super) fn after(self, text: &[u8], first: usize) -> usize {
        let digits = text[first..]
            .iter()
            .enumerate()
            .filter(|(_, byte)| self.is_digit(**byte));
        digits.take(2).last().map_or(text.len(), |(at, _)| first + at + 1)
    }
}
