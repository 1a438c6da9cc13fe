//! Frames that wait to be written, many with one system call.

use std::{
    collections::VecDeque,
    future::poll_fn,
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, Waker, ready},
};

use bytes::{Buf as _, Bytes};
use tokio::io::AsyncWrite;

/// How many pieces go into one system call (a frame and its `\n` are two).
const PIECES: usize = 128;

/// A queue of frames before a pipe. It never waits by itself, so that a peer that does not read blocks nobody.
pub(crate) struct Outbox {
    sink: Option<Box<dyn AsyncWrite + Send + Unpin>>,
    /// Frames, each followed by its `\n`.
    queue: VecDeque<Piece>,
    /// Bytes in `queue`, `\n`s included.
    waiting: usize,
    /// Those of them that are of replies.
    replies: usize,
}

/// A frame, or what is left of it, or a `\n`.
struct Piece {
    bytes: Bytes,
    is_reply: bool,
}

impl Outbox {
    pub(crate) fn new(sink: Box<dyn AsyncWrite + Send + Unpin>) -> Self {
        Self {
            sink: Some(sink),
            queue: VecDeque::new(),
            waiting: 0,
            replies: 0,
        }
    }

    /// Whether the pipe is still open.
    pub(crate) fn is_open(&self) -> bool {
        self.sink.is_some()
    }

    /// How many bytes wait.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    /// How many bytes of replies wait.
    pub(crate) fn replies(&self) -> usize {
        self.replies
    }

    /// How many frames wait, wholly or in part.
    pub(crate) fn frames(&self) -> usize {
        self.queue.len().div_ceil(2)
    }

    /// Adds a frame, which may be a reply; its `\n` is added here.
    pub(crate) fn push(&mut self, frame: Bytes, is_reply: bool) {
        self.waiting += frame.len() + 1;
        if is_reply {
            self.replies += frame.len() + 1;
        }
        for bytes in [frame, Bytes::from_static(b"\n")] {
            self.queue.push_back(Piece { bytes, is_reply });
        }
    }

    /// Closes the pipe; what waits stays unwritten.
    pub(crate) fn close(&mut self) {
        self.sink = None;
    }

    /// Writes all that waits. Cancel safe. An error closes the pipe.
    pub(crate) async fn flush(&mut self) -> io::Result<()> {
        let written = poll_fn(|context| self.poll_flush(context)).await;
        if written.is_err() {
            self.sink = None;
        }
        written
    }

    /// Writes as much as the pipe takes at once. An error closes the pipe.
    pub(crate) fn flush_now(&mut self) -> io::Result<()> {
        // The next `flush` leaves its own waker.
        match self.poll_flush(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Err(error)) => {
                self.sink = None;
                Err(error)
            }
            Poll::Ready(Ok(())) | Poll::Pending => Ok(()),
        }
    }

    fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(sink) = &mut self.sink else {
            return Poll::Ready(Ok(()));
        };
        while !self.queue.is_empty() {
            let mut pieces = [IoSlice::new(&[]); PIECES];
            let mut count = 0;
            for (piece, waiting) in pieces.iter_mut().zip(&self.queue) {
                *piece = IoSlice::new(&waiting.bytes);
                count += 1;
            }
            let pieces = pieces.get(..count).unwrap_or_default();
            match ready!(Pin::new(&mut *sink).poll_write_vectored(context, pieces)) {
                Ok(0) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Ok(mut written) => {
                    self.waiting = self.waiting.saturating_sub(written);
                    while let Some(Piece { bytes, is_reply }) = self.queue.front_mut() {
                        let taken = written.min(bytes.len());
                        if *is_reply {
                            self.replies = self.replies.saturating_sub(taken);
                        }
                        if taken < bytes.len() {
                            bytes.advance(taken);
                            break;
                        }
                        written -= taken;
                        self.queue.pop_front();
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        // A pipe is written at once, but a buffering sink must be told.
        Pin::new(sink).poll_flush(context)
    }
}

#[cfg(test)]
mod tests;
