//! Splits the bytes of a pipe into lines without copying: the framing of MCP over stdio.

use std::io;

use bytes::{Buf as _, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt as _};

/// The number of bytes per read.
const CHUNK: usize = 64 * 1024;
/// After a line of more bytes the buffer is replaced.
const LONG: usize = 1 << 20;

/// The result of [`Lines::fill`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// More bytes were read.
    More,
    /// The pipe has ended.
    End,
}

/// Splits the input at every `\n`; all other bytes, including `\r`, stay in the line.
pub struct Lines {
    source: Option<Box<dyn AsyncRead + Send + Unpin>>,
    buffer: BytesMut,
    /// There is no `\n` before this index.
    searched: usize,
}

/// A line without its `\n`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its bytes.
    pub bytes: Bytes,
    /// Whether it was terminated by `\n`; otherwise by the end of the pipe, or a limit.
    pub terminated: bool,
}

impl Lines {
    /// Reads from `source`.
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

    /// The size of an unfinished line, in bytes (exact after [`Self::take`] returned none).
    #[must_use]
    pub fn unfinished(&self) -> usize {
        self.buffer.len()
    }

    /// The next complete line; at the end also an unterminated last one.
    pub fn take(&mut self) -> Option<Line> {
        let rest = self.buffer.get(self.searched..).unwrap_or_default();
        match memchr::memchr(b'\n', rest) {
            Some(offset) => {
                let bytes = self.buffer.split_to(self.searched + offset).freeze();
                self.buffer.advance(1);
                self.searched = 0;
                if bytes.len() > LONG && self.buffer.len() <= CHUNK {
                    // The rest would keep the memory of the line for as long as nothing more arrives.
                    self.buffer = BytesMut::from(&self.buffer[..]);
                }
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

    /// The available part of an unfinished line.
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
    /// The pipe cannot be read; nothing more can be read from it.
    pub async fn fill(&mut self) -> io::Result<Fill> {
        let Some(source) = &mut self.source else {
            return Ok(Fill::End);
        };
        if self.buffer.capacity() - self.buffer.len() < CHUNK / 8 {
            // The buffer is doubled, so that a long line is moved only a few times.
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
