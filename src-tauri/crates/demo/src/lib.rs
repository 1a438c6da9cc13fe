//! The built-in demo server: small, friendly, and a bit of everything a client has to cope with.
//!
//! It speaks both eras over stdio: `initialize` for every legacy revision, `server/discover` and per-request `_meta` for
//! 2026-07-28. Its tools show every shape of schema, every type of content, progress, logging, changes and failures.
//!
//! The way of a request: [`lines`](run_stdio) come in → `session` reads messages → `request` finds the era and runs the
//! method → `out` writes the answer. Tools that take time run beside the session, so that they can be cancelled.
//!
//! Some tools ask the client in return: by requests of the server in the legacy era, by rounds of input in the modern one.
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

/// How many lines may wait in either direction before the other side has to.
const QUEUE: usize = 256;

/// What goes out, in order.
#[derive(Debug)]
enum Out {
    /// A message, as one line on stdout.
    Message(String),
    /// A line on stderr.
    Stderr(String),
}

/// Serves stdin and stdout of this process until stdin closes (or the tool `hang_up` is called).
///
/// Reading and writing have threads of their own: a read of stdin cannot be interrupted, and must not keep the process
/// from ending.
///
/// # Errors
/// If stdout cannot be written.
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
        // Nobody waits any more only if the process is ending.
        let _ = done.send(result);
    });
    tokio::select! {
        // Nobody reads what we write.
        result = &mut written => return result.unwrap_or(Ok(())),
        () = session::run(lines, out) => {}
    }
    written.await.unwrap_or(Ok(()))
}

/// Serves any pair of streams until `reader` ends, for tests and for hosts that keep the server in their own process.
///
/// # Errors
/// If a stream cannot be read or written.
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
