//! Bytes of a pipe, cut into lines without copying them: the framing of MCP over stdio.

use std::io;

use bytes::{Buf as _, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt as _};

/// How much is read at once.
const CHUNK: usize = 64 * 1024;

/// What [`Lines::fill`] met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// More bytes came.
    More,
    /// No more will come.
    End,
}

/// Cuts what comes from a pipe at every `\n`; everything else, `\r` too, stays in the line.
pub struct Lines {
    source: Option<Box<dyn AsyncRead + Send + Unpin>>,
    buffer: BytesMut,
    /// No `\n` before this index.
    searched: usize,
}

/// A line without its `\n`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its bytes.
    pub bytes: Bytes,
    /// Whether a `\n` ended it; if not, the pipe's end (or a limit) did.
    pub terminated: bool,
}

impl Lines {
    /// Of what comes from `source`.
    #[must_use]
    pub fn new(source: Box<dyn AsyncRead + Send + Unpin>) -> Self {
        Self {
            source: Some(source),
            buffer: BytesMut::with_capacity(CHUNK),
            searched: 0,
        }
    }

    /// Whether the pipe has ended.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.source.is_none()
    }

    /// How many bytes of an unfinished line wait (exact after [`Self::take`] returned none).
    #[must_use]
    pub fn unfinished(&self) -> usize {
        self.buffer.len()
    }

    /// The next whole line; after the end also an unterminated last one.
    pub fn take(&mut self) -> Option<Line> {
        let rest = self.buffer.get(self.searched..).unwrap_or_default();
        match memchr::memchr(b'\n', rest) {
            Some(offset) => {
                let bytes = self.buffer.split_to(self.searched + offset).freeze();
                self.buffer.advance(1);
                self.searched = 0;
                Some(Line {
                    bytes,
                    terminated: true,
                })
            }
            None if self.ended() => self.take_unfinished(),
            None => {
                self.searched = self.buffer.len();
                None
            }
        }
    }

    /// What there is of an unfinished line.
    pub fn take_unfinished(&mut self) -> Option<Line> {
        self.searched = 0;
        (!self.buffer.is_empty()).then(|| Line {
            bytes: self.buffer.split().freeze(),
            terminated: false,
        })
    }

    /// Reads once. Cancel safe.
    ///
    /// # Errors
    /// The pipe cannot be read; nothing more will come.
    pub async fn fill(&mut self) -> io::Result<Fill> {
        let Some(source) = &mut self.source else {
            return Ok(Fill::End);
        };
        if self.buffer.capacity() - self.buffer.len() < CHUNK / 8 {
            // A long line doubles what it needs, so that it is moved few times.
            self.buffer.reserve(CHUNK.max(self.buffer.len()));
        }
        match source.read_buf(&mut self.buffer).await {
            Ok(0) => {
                self.source = None;
                Ok(Fill::End)
            }
            Ok(_) => Ok(Fill::More),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(Fill::More),
            Err(error) => {
                self.source = None;
                Err(error)
            }
        }
    }
}

#[cfg(test)]
mod tests;
