use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    task::{Context, Poll},
    time::Duration,
};

use patchbay_traffic::{Filter, Kind, Store, StoreOptions};
use patchbay_transport::{
    About, Connector, Dialect, Failure, InProcess, Link, NotStarted, Peer, ProcessInfo, Stdio, Tap,
};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader, ReadBuf};

use crate::{
    ClientInfo, ConnectOptions, Connection, EraChoice, Exchange, Outcome, Request, State, command::Command,
    connect, events,
};

/// Makes no link, but tells on which thread it was asked to.
struct ThreadReporter {
    own_thread: bool,
    thread: mpsc::Sender<Option<String>>,
}

impl Connector for ThreadReporter {
    fn connect(&self, _: Dialect, _: Tap) -> Result<Box<dyn Link>, Box<NotStarted>> {
        let name = std::thread::current().name().map(str::to_owned);
        self.thread.send(name).unwrap();
        let peer = Peer::Other { name: String::new() };
        Err(Box::new(NotStarted {
            about: About::new(peer),
            failure: Failure::new("Connect", "There is nothing.", "Give up."),
        }))
    }

    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::Legacy]
    }

    fn own_thread(&self) -> bool {
        self.own_thread
    }
}

/// A connection with such a connector, which fails at once, and the name of the thread that lives it.
fn failing(own_thread: bool) -> (Connection, mpsc::Receiver<Option<String>>) {
    let (thread, name) = mpsc::channel();
    (connected(ThreadReporter { own_thread, thread }).0, name)
}

fn connected(connector: impl Connector + 'static) -> (Connection, Store) {
    let (store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let us = ClientInfo {
        name: "t".to_owned(),
        title: None,
        version: "1".to_owned(),
    };
    let options = ConnectOptions {
        era: EraChoice::Legacy,
        ..ConnectOptions::new("s", "s", Arc::new(connector), us)
    };
    (connect(options, recorder), store)
}

async fn thread_of(own_thread: bool) -> Option<String> {
    let (connection, name) = failing(own_thread);
    assert_eq!(connection.settled().await.state, State::Failed);
    name.recv().unwrap()
}

#[tokio::test]
async fn only_a_connector_that_asks_for_a_thread_gets_one() {
    assert_eq!(thread_of(true).await.as_deref(), Some("connection"));
    assert_ne!(thread_of(false).await.as_deref(), Some("connection"));
}

#[tokio::test(start_paused = true)]
async fn what_is_asked_in_the_moment_of_the_end_is_answered() {
    let (connection, _name) = failing(false);
    // A request on its way: it has a place in the queue, and is in it only when the actor has come to its end.
    let place = connection.commands.reserve().await.unwrap();
    assert_eq!(connection.settled().await.state, State::Failed);
    let (events, told) = events::channel();
    place.send(Command::Request {
        request: Request::new("ping", None),
        exchange: 1,
        events,
    });
    let exchange = Exchange { id: 1, events: told };
    let answered = tokio::time::timeout(Duration::from_secs(1), exchange.finished());
    let outcome = answered.await.expect("nobody answers").outcome;
    assert!(matches!(outcome, Outcome::NotSent(_)), "{outcome:?}");
    connection.close().await;
}

/// A link that panics while it is polled, as soon as a `tools/call` is sent.
struct Panicking {
    own_thread: bool,
    server: InProcess,
}

impl Panicking {
    fn new(own_thread: bool) -> Self {
        let server = InProcess::new("panicking", |mut messages| async move {
            while let Some(frame) = messages.incoming.recv().await {
                let frame = String::from_utf8(frame.to_vec()).unwrap();
                assert!(!frame.contains("tools/call"), "the answer to everything is gone");
                if frame.contains("\"initialize\"") {
                    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"p","version":"1"}}}"#;
                    messages.outgoing.send(answer.into()).await.unwrap();
                }
            }
        });
        Self { own_thread, server }
    }
}

impl Connector for Panicking {
    fn connect(&self, dialect: Dialect, tap: Tap) -> Result<Box<dyn Link>, Box<NotStarted>> {
        self.server.connect(dialect, tap)
    }

    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::Legacy]
    }

    fn own_thread(&self) -> bool {
        self.own_thread
    }
}

#[tokio::test]
async fn a_panic_ends_the_connection_as_failed_with_its_message() {
    for own_thread in [true, false] {
        let (connection, store) = connected(Panicking::new(own_thread));
        assert_eq!(connection.settled().await.state, State::Ready);
        let ended = async {
            // Both wait when the panic comes: one was sent, one is on its way.
            let pending = connection.request(Request::new("ping", None)).await;
            let fatal = connection.request(Request::new("tools/call", None)).await;
            let outcomes = (pending.finished().await.outcome, fatal.finished().await.outcome);
            let mut status = connection.status();
            let failed = status
                .wait_for(|status| status.state == State::Failed)
                .await
                .unwrap()
                .clone();
            connection.close().await;
            (outcomes, failed)
        };
        let ended = tokio::time::timeout(Duration::from_secs(20), ended).await;
        let (outcomes, status) = ended.expect("the connection hangs");
        assert!(
            matches!(outcomes, (Outcome::ConnectionLost(_), Outcome::ConnectionLost(_))),
            "{outcomes:?}"
        );
        let cause = &status.failure.as_ref().unwrap().cause;
        assert!(cause.contains("the answer to everything is gone"), "{cause}");
        store.flush().await.unwrap();
        let notes = Filter::default().kinds(&[Kind::Lifecycle]);
        let rows = store.rows(&notes, 0, 10).await.unwrap();
        let told = |row: &patchbay_traffic::Row| {
            row.summary
                .as_deref()
                .unwrap_or_default()
                .contains("internal error")
        };
        assert!(rows.iter().any(told), "{rows:?}");
        let after = connection.request(Request::new("ping", None)).await;
        assert!(matches!(after.finished().await.outcome, Outcome::NotSent(_)));
    }
}

/// Which of the pipes of a process panics.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Pipe {
    Reader,
    Writer,
}

/// Pipes of which one panics once `tools/call` was written.
struct FatalPipes(Pipe);

struct Fatal<T> {
    pipe: T,
    kills: Pipe,
    armed: Arc<AtomicBool>,
}

impl<T: AsyncRead + Unpin> AsyncRead for Fatal<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        assert!(!self.armed.load(Ordering::Relaxed), "the reader is gone");
        Pin::new(&mut self.pipe).poll_read(context, buffer)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Fatal<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        if String::from_utf8_lossy(bytes).contains("tools/call") {
            assert_ne!(self.kills, Pipe::Writer, "the writer is gone");
            self.armed.store(true, Ordering::Relaxed);
        }
        Pin::new(&mut self.pipe).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.pipe).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.pipe).poll_shutdown(context)
    }
}

impl Connector for FatalPipes {
    fn connect(&self, _: Dialect, tap: Tap) -> Result<Box<dyn Link>, Box<NotStarted>> {
        let (stdin, ours) = tokio::io::duplex(1 << 16);
        let (mut stdout, theirs) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move {
            let mut lines = BufReader::new(stdin).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                let result = match line.contains("\"initialize\"") {
                    true => {
                        r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"p","version":"1"}}}"#
                    }
                    false => {
                        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#
                    }
                };
                let line = format!("{result}\n");
                if stdout.write_all(line.as_bytes()).await.is_err() {
                    return;
                }
            }
        });
        let armed = Arc::new(AtomicBool::new(false));
        let kills = self.0;
        let reader = Fatal {
            pipe: theirs,
            kills,
            armed: armed.clone(),
        };
        let writer = Fatal {
            pipe: ours,
            kills,
            armed,
        };
        Ok(Box::new(Stdio::over(
            Box::new(reader),
            Box::new(writer),
            ProcessInfo::default(),
            tap,
        )))
    }

    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::Legacy]
    }
}

#[tokio::test]
async fn a_reader_or_a_writer_that_dies_ends_the_connection_as_failed() {
    for (pipe, words) in [
        (Pipe::Reader, "the reader is gone"),
        (Pipe::Writer, "the writer is gone"),
    ] {
        let (connection, store) = connected(FatalPipes(pipe));
        assert_eq!(connection.settled().await.state, State::Ready);
        let ended = async {
            let fatal = connection.request(Request::new("tools/call", None)).await;
            let outcome = fatal.finished().await.outcome;
            let mut status = connection.status();
            let failed = status
                .wait_for(|status| status.state == State::Failed)
                .await
                .unwrap()
                .clone();
            connection.close().await;
            (outcome, failed)
        };
        let ended = tokio::time::timeout(Duration::from_secs(20), ended).await;
        let (outcome, status) = ended.expect("the connection hangs");
        assert!(
            matches!(outcome, Outcome::ConnectionLost(_) | Outcome::NotSent(_)),
            "{pipe:?}: {outcome:?}"
        );
        let cause = &status.failure.as_ref().unwrap().cause;
        assert!(cause.contains(words), "{cause}");
        store.flush().await.unwrap();
        let notes = Filter::default().kinds(&[Kind::Lifecycle]);
        let rows = store.rows(&notes, 0, 10).await.unwrap();
        let told = |row: &patchbay_traffic::Row| row.summary.as_deref().unwrap_or_default().contains(words);
        assert!(rows.iter().any(told), "{rows:?}");
    }
}
