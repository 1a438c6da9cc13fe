//! The scanner: validates JSON (RFC 8259) and finds the start and end of values. It keeps an explicit stack with one bit
//! per level.

/// Why a text is not JSON, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at line {line}, column {column}")]
pub struct JsonError {
    /// Byte offset into the text.
    pub offset: usize,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// The problem at that position.
    pub message: String,
}

/// Checks that `text` is exactly one JSON value, with nothing but white space around it.
///
/// # Errors
/// The first invalid position.
pub fn well_formed(text: &str) -> Result<(), JsonError> {
    let mut scanner = Scanner::new(text);
    let checked = scanner
        .skip_space()
        .skip_value()
        .and_then(|()| scanner.expect_end());
    checked.map_err(|problem| problem.locate(text))
}

/// A problem before its line and column are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) offset: usize,
    pub(crate) message: &'static str,
}

impl Problem {
    /// Computes line and column.
    pub(crate) fn locate(self, text: &str) -> JsonError {
        let (before, _) = text.split_at(text.floor_char_boundary(self.offset));
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        JsonError {
            offset: self.offset,
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before.get(line_start..).map_or(0, |line| line.chars().count()) + 1,
            message: self.message.to_owned(),
        }
    }
}

/// The open containers: 1 is an object, 0 an array. The first 64 levels need no memory.
#[derive(Default)]
struct Levels {
    bits: u64,
    depth: usize,
    spilled: Vec<u64>,
}

impl Levels {
    fn push(&mut self, object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.spilled.push(self.bits);
        }
        self.bits = (self.bits << 1) | u64::from(object);
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.depth -= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.bits = self.spilled.pop().unwrap_or_default();
        } else {
            self.bits >>= 1;
        }
    }

    fn in_object(&self) -> bool {
        self.bits & 1 == 1
    }
}

/// A position in a text.
#[derive(Clone, Copy)]
pub(crate) struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

/// How many bytes at the start of `bytes` neither end a string, nor start an escape, nor are forbidden in one.
#[inline]
fn plain(bytes: &[u8]) -> usize {
    /// Strings that end within this many bytes are read word by word.
    const SHORT: usize = 4;
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        if index == SHORT {
            return 8 * SHORT + long(bytes.get(8 * SHORT..).unwrap_or_default());
        }
        let special = specials(*word);
        if special != 0 {
            return index * 8 + special.trailing_zeros() as usize / 8;
        }
    }
    bytes.len() - rest.len() + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// As [`plain`], for long strings.
fn long(bytes: &[u8]) -> usize {
    let run = memchr::memchr2(b'"', b'\\', bytes).unwrap_or(bytes.len());
    let text = bytes.get(..run).unwrap_or_default();
    // The smallest byte of a text is computed for many bytes at once.
    match text.iter().fold(u8::MAX, |least, byte| least.min(*byte)) {
        0..0x20 => text.iter().position(is_special).unwrap_or(run),
        _ => run,
    }
}

fn is_special(byte: &u8) -> bool {
    matches!(*byte, 0..0x20 | b'"' | b'\\')
}

/// The high bit of each byte of a word that is special; above the first one others may have theirs too.
#[inline]
fn specials(word: [u8; 8]) -> u64 {
    /// A byte in each of the eight places.
    const fn all(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    /// The high bit of each zero byte; above the first one others may have theirs too.
    fn zeros(word: u64) -> u64 {
        word.wrapping_sub(all(1)) & !word
    }
    let word = u64::from_le_bytes(word);
    let quotes = zeros(word ^ all(b'"'));
    let escapes = zeros(word ^ all(b'\\'));
    let controls = word.wrapping_sub(all(0x20)) & !word;
    (quotes | escapes | controls) & all(0x80)
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
        }
    }

    /// The current position.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// The current byte.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The text from `start` to the current position.
    #[inline]
    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    pub(crate) fn problem(&self, message: &'static str) -> Problem {
        let message = if self.at >= self.bytes.len() {
            "the text ends too early"
        } else {
            message
        };
        Problem {
            offset: self.at,
            message,
        }
    }

    #[inline]
    pub(crate) fn skip_space(&mut self) -> &mut Self {
        // Most messages are written without any.
        if self.peek().is_some_and(|byte| byte <= b' ') {
            self.skip_spaces();
        }
        self
    }

    fn skip_spaces(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// Requires that only white space follows.
    pub(crate) fn expect_end(&mut self) -> Result<(), Problem> {
        self.skip_space();
        if self.at == self.bytes.len() {
            Ok(())
        } else {
            Err(self.problem("more text after the value"))
        }
    }

    /// Skips a colon and the space around it.
    #[inline]
    pub(crate) fn skip_colon(&mut self) -> Result<(), Problem> {
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.problem("a colon is missing"));
        }
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    /// Enters the object (`}`) or array (`]`) that must start here. Returns whether anything is in it; an empty one is
    /// skipped.
    pub(crate) fn enter(&mut self, close: u8) -> Result<bool, Problem> {
        let (open, message) = match close {
            b'}' => (b'{', "not an object"),
            _ => (b'[', "not an array"),
        };
        if self.peek() != Some(open) {
            return Err(self.problem(message));
        }
        self.at += 1;
        self.skip_space();
        let is_empty = self.peek() == Some(close);
        self.at += usize::from(is_empty);
        Ok(!is_empty)
    }

    /// After a member or element: skips the comma, or leaves the object (`}`) or array (`]`). Returns whether more follows.
    pub(crate) fn follow(&mut self, close: u8) -> Result<bool, Problem> {
        self.skip_space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.skip_space();
                Ok(true)
            }
            Some(byte) if byte == close => {
                self.at += 1;
                Ok(false)
            }
            _ if close == b'}' => Err(self.problem("a comma or `}` is missing")),
            _ => Err(self.problem("a comma or `]` is missing")),
        }
    }

    /// Skips a member's name and the colon after it. Returns the name as written, with quotes, and whether it contains
    /// escapes.
    #[inline]
    pub(crate) fn name(&mut self) -> Result<(&'a str, bool), Problem> {
        let start = self.at;
        let escapes = self.skip_name_string()?;
        let name = self.since(start);
        self.skip_colon()?;
        Ok((name, escapes))
    }

    /// Skips a member's name and the colon after it, which nobody reads.
    #[inline]
    fn skip_name(&mut self) -> Result<(), Problem> {
        self.skip_name_string()?;
        self.skip_colon()
    }

    #[inline]
    fn skip_name_string(&mut self) -> Result<bool, Problem> {
        if self.peek() != Some(b'"') {
            return Err(self.problem("a member's name is missing"));
        }
        self.skip_string()
    }

    /// Skips one value, which must start here, and returns it.
    pub(crate) fn value(&mut self) -> Result<&'a str, Problem> {
        let start = self.at;
        self.skip_value()?;
        Ok(self.since(start))
    }

    /// Skips one value, which must start here.
    pub(crate) fn skip_value(&mut self) -> Result<(), Problem> {
        let mut levels = Levels::default();
        loop {
            // A value starts here.
            match self.peek() {
                Some(b'"') => {
                    self.skip_string()?;
                }
                Some(b'{') => {
                    if self.enter(b'}')? {
                        levels.push(true);
                        self.skip_name()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    if self.enter(b']')? {
                        levels.push(false);
                        continue;
                    }
                }
                Some(b'-' | b'0'..=b'9') => self.skip_number()?,
                Some(b't') => self.skip_word("true")?,
                Some(b'f') => self.skip_word("false")?,
                Some(b'n') => self.skip_word("null")?,
                _ => return Err(self.problem("a value is missing")),
            }
            // A value has ended here.
            loop {
                if levels.depth == 0 {
                    return Ok(());
                }
                let in_object = levels.in_object();
                if self.follow(if in_object { b'}' } else { b']' })? {
                    if in_object {
                        self.skip_name()?;
                    }
                    break;
                }
                levels.pop();
            }
        }
    }

    /// Skips a string, which must start here. Returns whether it contains escapes.
    #[inline]
    pub(crate) fn skip_string(&mut self) -> Result<bool, Problem> {
        self.at += 1;
        self.skip_plain();
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(false);
        }
        self.skip_escapes().map(|()| true)
    }

    #[inline]
    fn skip_plain(&mut self) {
        self.at += self.bytes.get(self.at..).map_or(0, plain);
    }

    /// Skips the rest of a string, from its first escape on.
    fn skip_escapes(&mut self) -> Result<(), Problem> {
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.skip_escape()?,
                _ => return Err(self.problem("a control character inside a string")),
            }
            self.skip_plain();
        }
    }

    fn skip_escape(&mut self) -> Result<(), Problem> {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                        return Err(self.problem("an escape needs four hexadecimal digits"));
                    }
                    self.at += 1;
                }
            }
            _ => return Err(self.problem("an unknown escape")),
        }
        Ok(())
    }

    fn skip_number(&mut self) -> Result<(), Problem> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.skip_digits()?,
            _ => return Err(self.problem("a digit is missing")),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.skip_digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.skip_digits()?;
        }
        Ok(())
    }

    fn skip_digits(&mut self) -> Result<(), Problem> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start {
            Err(self.problem("a digit is missing"))
        } else {
            Ok(())
        }
    }

    fn skip_word(&mut self, word: &'static str) -> Result<(), Problem> {
        if self
            .bytes
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(word.as_bytes()))
        {
            self.at += word.len();
            Ok(())
        } else {
            Err(self.problem("not a value"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    /// Each byte in each place of texts up to three words long, and of some that are too long for words, after plain ones of every kind.
    #[test]
    fn a_plain_run_ends_at_the_first_special_byte() {
        for length in (0..=24).chain([33, 40, 65]) {
            for filler in [b'a', b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xa2, 0xdc, 0xff] {
                let bytes = vec![filler; length];
                assert_eq!(plain(&bytes), length, "{filler:#x}");
                for at in 0..length {
                    for byte in 0..=u8::MAX {
                        let mut bytes = bytes.clone();
                        bytes[at] = byte;
                        let is_special = byte < 0x20 || byte == b'"' || byte == b'\\';
                        let expected = if is_special { at } else { length };
                        assert_eq!(
                            plain(&bytes),
                            expected,
                            "{filler:#x} {byte:#x} at {at} of {length}"
                        );
                    }
                }
            }
        }
    }
}
