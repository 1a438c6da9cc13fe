//! Parses `text/event-stream` according to the WHATWG standard, for any chunking of its bytes.
//!
//! The recorded frame is the event's *data*: the JSON-RPC message, verbatim (several `data` lines are joined by `\n`, as the standard says). The rest of an event (its name, its id, `retry`, comments) is not part of a message; it
//! becomes stages of the HTTP exchange.
//!
//! Data on one line within one chunk is returned without copying. Memory is bounded by the limit plus one chunk.
//! Differences from the standard: an event that is incomplete at the end of the stream is not silently dropped
//! ([`Parser::finish`]), and an event without data is returned, because its id counts (a server primes a stream with one).

use std::collections::VecDeque;

use bytes::{Buf as _, Bytes, BytesMut};

/// The maximum length of a comment, a name or an id that is kept.
pub const SMALL_LIMIT: usize = 4 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A part of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A comment line, without its colon.
    Comment(String),
    /// The reconnection delay, in ms.
    Retry(u64),
    /// An event, including one that only sets the id or only has a name.
    Event(Event),
}

/// An event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Event {
    /// Its name; none means `message`.
    pub name: Option<String>,
    /// The id that it sets (an empty one resets the id).
    pub id: Option<String>,
    /// Its data.
    pub data: Option<Bytes>,
}

impl Event {
    /// Whether it is an ordinary message.
    #[must_use]
    pub fn is_message(&self) -> bool {
        self.name.as_deref().is_none_or(|name| name == "message")
    }
}

/// A line or an event exceeds the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

impl std::fmt::Display for TooLong {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a line or an event of the stream is longer than the limit")
    }
}

impl std::error::Error for TooLong {}

/// An incremental parser of a stream.
#[derive(Debug)]
pub struct Parser {
    limit: usize,
    /// The chunk being parsed.
    piece: Bytes,
    /// The start of a line that continues in the next chunk.
    line: BytesMut,
    /// The last line ended with `\r`: an immediately following `\n` belongs to it.
    after_cr: bool,
    /// Nothing was read yet, so a byte order mark is allowed.
    at_start: bool,
    event: Event,
    /// All data lines of the event, once there are several.
    joined: BytesMut,
    several: bool,
    begun: bool,
    ready: VecDeque<Item>,
}

impl Parser {
    /// `limit`: the maximum size of a line and of an event's data, in bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            piece: Bytes::new(),
            line: BytesMut::new(),
            after_cr: false,
            at_start: true,
            event: Event::default(),
            joined: BytesMut::new(),
            several: false,
            begun: false,
            ready: VecDeque::new(),
        }
    }

    /// Passes the next chunk. Call [`Self::next`] until it returns none before the next one.
    pub fn push(&mut self, piece: Bytes) {
        debug_assert!(self.piece.is_empty(), "the last piece is not used up");
        self.piece = piece;
    }

    /// The next item of the chunks.
    ///
    /// # Errors
    /// A line or an event is too long. Parsing cannot continue.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator would continue after an error"
    )]
    pub fn next(&mut self) -> Result<Option<Item>, TooLong> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Ok(Some(item));
            }
            let Some(line) = self.take_line()? else {
                return Ok(None);
            };
            self.line(line)?;
        }
    }

    /// The incomplete rest at the end of the stream, or up to the limit: the data of an unterminated event, including an
    /// unfinished line.
    pub fn finish(&mut self) -> Option<Bytes> {
        let mut line = std::mem::take(&mut self.line).freeze();
        if self.at_start && line.starts_with(BYTE_ORDER_MARK) {
            line.advance(BYTE_ORDER_MARK.len());
        }
        // An empty line would end the event.
        if !line.is_empty() {
            // What does not fit into the event is left out.
            let _ = self.line(line);
        }
        self.ready.clear();
        self.take_event().data.filter(|data| !data.is_empty())
    }

    /// The next complete line, without its terminator.
    fn take_line(&mut self) -> Result<Option<Bytes>, TooLong> {
        if self.after_cr && !self.piece.is_empty() {
            self.after_cr = false;
            if self.piece.first() == Some(&b'\n') {
                self.piece.advance(1);
            }
        }
        let Some(end) = memchr::memchr2(b'\r', b'\n', &self.piece) else {
            let rest = std::mem::take(&mut self.piece);
            self.grow(&rest)?;
            return Ok(None);
        };
        let mut line = self.piece.split_to(end);
        self.after_cr = self.piece.first() == Some(&b'\r');
        self.piece.advance(1);
        if !self.line.is_empty() || line.len() > self.limit {
            self.grow(&line)?;
            // Taken whole: the rest of a split buffer would keep its memory.
            line = std::mem::take(&mut self.line).freeze();
        }
        if std::mem::take(&mut self.at_start) && line.starts_with(BYTE_ORDER_MARK) {
            line.advance(BYTE_ORDER_MARK.len());
        }
        Ok(Some(line))
    }

    fn grow(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        extend_within(self.limit, &mut self.line, bytes)
    }

    fn line(&mut self, mut line: Bytes) -> Result<(), TooLong> {
        if line.is_empty() {
            if std::mem::take(&mut self.begun) {
                let event = self.take_event();
                self.ready.push_back(Item::Event(event));
            }
            return Ok(());
        }
        let colon = memchr::memchr(b':', &line);
        let name = line.split_to(colon.unwrap_or(line.len()));
        if colon.is_some() {
            line.advance(1);
        }
        if name.is_empty() {
            self.ready.push_back(Item::Comment(small(&line)));
            return Ok(());
        }
        if line.first() == Some(&b' ') {
            line.advance(1);
        }
        match &*name {
            b"data" => self.data(line)?,
            b"event" => {
                self.event.name = Some(small(&line)).filter(|name| !name.is_empty());
                self.begun = true;
            }
            // An id with a NUL must be ignored; one that is too long to be sent back is ignored too.
            b"id" if !line.contains(&0) && line.len() <= SMALL_LIMIT => {
                self.event.id = Some(small(&line));
                self.begun = true;
            }
            b"retry" if !line.is_empty() && line.iter().all(u8::is_ascii_digit) => {
                let time = small(&line).parse().unwrap_or(u64::MAX);
                self.ready.push_back(Item::Retry(time));
            }
            _ => {}
        }
        Ok(())
    }

    fn data(&mut self, line: Bytes) -> Result<(), TooLong> {
        self.begun = true;
        let Some(first) = &self.event.data else {
            self.event.data = Some(line);
            return Ok(());
        };
        if !self.several {
            self.several = true;
            self.joined.extend_from_slice(first);
        }
        extend_within(self.limit, &mut self.joined, b"\n")?;
        extend_within(self.limit, &mut self.joined, &line)
    }

    fn take_event(&mut self) -> Event {
        if std::mem::take(&mut self.several) {
            self.event.data = Some(std::mem::take(&mut self.joined).freeze());
        }
        std::mem::take(&mut self.event)
    }
}

/// Appends as much as the limit allows.
fn extend_within(limit: usize, to: &mut BytesMut, bytes: &[u8]) -> Result<(), TooLong> {
    let room = limit.saturating_sub(to.len());
    to.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
    if bytes.len() > room { Err(TooLong) } else { Ok(()) }
}

/// The start of a value that is normally short.
fn small(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.get(..SMALL_LIMIT).unwrap_or(bytes)).into_owned()
}

#[cfg(test)]
mod tests;
