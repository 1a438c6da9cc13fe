//! The built-in demo server: small, with an example of everything that a client has to handle.
//!
//! It supports both eras over stdio: `initialize` for every legacy revision, `server/discover` and per-request `_meta` for
//! 2026-07-28. Its tools cover every kind of schema, every type of content, progress, logging, changes and failures.
//!
//! The path of a request: lines are read ([`run_stdio`]) → `session` reads messages → `request` determines the era and runs
//! the method → `out` writes the response. Slow tools run concurrently with the session, so that they can be cancelled.
//!
//! Some tools request input from the client: with requests of the server in the legacy era, with input rounds in the modern
//! one.
//!
//! Deliberately not here: HTTP, authorization.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod answer;
mod arguments;
mod asking;
mod call;
mod catalog;
mod handshake;
mod paging;
mod request;
mod session;
mod shared;
mod subscriptions;
mod tools;

use std::io::{self, BufRead, Write};

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{mpsc, oneshot};

/// The maximum number of queued lines in each direction.
const QUEUE: usize = 256;

/// Output, in order.
#[derive(Debug)]
enum Out {
    /// A message, as one line on stdout.
    Message(String),
    /// A line on stderr.
    Stderr(String),
}

/// Serves stdin and stdout of this process until stdin closes (or the tool `hang_up` is called).
///
/// Reading and writing use separate threads: a read of stdin cannot be interrupted, and must not keep the process from
/// exiting.
///
/// # Errors
/// stdout cannot be written.
#[expect(
    clippy::disallowed_methods,
    reason = "both threads end with stdin or stdout; neither read nor write can be interrupted"
)]
pub async fn run_stdio() -> io::Result<()> {
    let (line, lines) = mpsc::channel(QUEUE);
    std::thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        loop {
            let mut text = Vec::new();
            match stdin.read_until(b'\n', &mut text) {
                Ok(1..) if line.blocking_send(text).is_ok() => {}
                _ => return,
            }
        }
    });
    let (out, mut outs) = mpsc::channel(QUEUE);
    let (done, mut written) = oneshot::channel();
    std::thread::spawn(move || {
        let mut stdout = io::BufWriter::new(io::stdout().lock());
        let result = loop {
            let Some(next) = outs.blocking_recv() else {
                break Ok(());
            };
            let written = match next {
                Out::Message(text) => stdout
                    .write_all(text.as_bytes())
                    .and_then(|()| stdout.write_all(b"\n")),
                Out::Stderr(text) => stdout.flush().and_then(|()| writeln!(io::stderr(), "{text}")),
            };
            let flushed = written.and_then(|()| if outs.is_empty() { stdout.flush() } else { Ok(()) });
            if flushed.is_err() {
                break flushed;
            }
        };
        // The receiver is gone only if the process is exiting.
        let _ = done.send(result);
    });
    tokio::select! {
        // The reader of stdout is gone.
        result = &mut written => return result.unwrap_or(Ok(())),
        () = session::run(lines, out) => {}
    }
    written.await.unwrap_or(Ok(()))
}

/// Serves any pair of streams until `reader` ends, for tests and for hosts that run the server in their own process.
///
/// # Errors
/// A stream cannot be read or written.
pub async fn serve<R, W, E>(reader: R, mut writer: W, mut stderr: E) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
    E: AsyncWrite + Unpin,
{
    let (line, lines) = mpsc::channel(QUEUE);
    let (out, mut outs) = mpsc::channel(QUEUE);
    let read = async move {
        let mut reader = BufReader::new(reader);
        loop {
            let mut text = Vec::new();
            let length = reader.read_until(b'\n', &mut text).await?;
            if length == 0 || line.send(text).await.is_err() {
                return io::Result::Ok(());
            }
        }
    };
    let write = async move {
        while let Some(next) = outs.recv().await {
            match next {
                Out::Message(text) => {
                    writer.write_all(text.as_bytes()).await?;
                    writer.write_all(b"\n").await?;
                    writer.flush().await?;
                }
                Out::Stderr(text) => {
                    stderr.write_all(text.as_bytes()).await?;
                    stderr.write_all(b"\n").await?;
                    stderr.flush().await?;
                }
            }
        }
        writer.shutdown().await
    };
    let session = session::run(lines, out);
    let both = async {
        tokio::pin!(write);
        tokio::select! {
            result = &mut write => result,
            () = session => write.await,
        }
    };
    tokio::pin!(both);
    tokio::select! {
        result = &mut both => result,
        result = read => { result?; both.await }
    }
}

#[cfg(test)]
mod tests;
