//! An interceptor of each kind, small enough to begin a new one with.

use patchbay_traffic::{Direction, Filter, Kind, NewConnection, Origin, Store, StoreOptions};
use tokio::sync::mpsc;

use super::*;
use crate::{InProcess, OutgoingKind};

/// Edits what is sent and what comes.
struct Rewriting;

impl Interceptor for Rewriting {
    fn outgoing(&mut self, message: &Outgoing) -> Action {
        Action::Edit([&message.frame[..], b"+"].concat().into())
    }

    fn incoming(&mut self, received: &Received) -> Action {
        Action::Edit([&received.frame[..], b"-"].concat().into())
    }
}

/// Drops every answer that holds this.
struct Losing(&'static [u8]);

impl Interceptor for Losing {
    fn incoming(&mut self, received: &Received) -> Action {
        if memchr::memmem::find(&received.frame, self.0).is_some() {
            Action::Drop
        } else {
            Action::Pass
        }
    }
}

/// Delays each answer.
struct Slow(Duration);

impl Interceptor for Slow {
    fn incoming(&mut self, _: &Received) -> Action {
        Action::Delay(self.0)
    }
}

/// Holds what is sent until somebody decides.
struct Breakpoint {
    held: mpsc::UnboundedSender<Seq>,
    decisions: mpsc::UnboundedReceiver<(Seq, Action)>,
}

impl Interceptor for Breakpoint {
    fn outgoing(&mut self, _: &Outgoing) -> Action {
        Action::Hold
    }

    fn held(&mut self, frame: Seq) {
        self.held.send(frame).unwrap();
    }

    fn released(&mut self) -> BoxFuture<'_, (Seq, Action)> {
        Box::pin(async {
            match self.decisions.recv().await {
                Some(decision) => decision,
                None => pending().await,
            }
        })
    }
}

struct Bench {
    link: Box<dyn Link>,
    store: Store,
}

/// A decorated link with a server that sends everything back.
fn bench<I: Interceptor + 'static>(make: impl Fn() -> I + Send + Sync + 'static) -> Bench {
    let (store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let connection = recorder.connection(NewConnection {
        server_id: "s".to_owned(),
        server_name: "s".to_owned(),
        origin: Origin::Client,
    });
    let server = InProcess::new("echo", |mut messages| async move {
        while let Some(frame) = messages.incoming.recv().await {
            if messages.outgoing.send(frame).await.is_err() {
                return;
            }
        }
    });
    let connector = Intercepted::new(Arc::new(server), make);
    let link = connector.connect(Dialect::Modern, recorder, connection).unwrap();
    Bench { link, store }
}

impl Bench {
    async fn send(&mut self, frame: &'static str) -> Seq {
        let message = Outgoing {
            frame: Bytes::from_static(frame.as_bytes()),
            kind: OutgoingKind::Notification { method: "x".into() },
            headers: Vec::new(),
            operation: None,
        };
        self.link.send(message).await.unwrap()
    }

    /// The next frame, with what the log holds of it.
    async fn next(&mut self) -> String {
        let Some(Event::Frame(received)) = self.link.next().await else {
            panic!("no frame");
        };
        assert_eq!(self.body(received.seq).await, received.frame);
        String::from_utf8(received.frame.to_vec()).unwrap()
    }

    async fn body(&self, seq: Seq) -> Bytes {
        self.store.flush().await.unwrap();
        self.store.body(seq).await.unwrap().unwrap()
    }

    /// What crossed, as the log has it: `>` sent, `<` came.
    async fn log(&self) -> Vec<String> {
        self.store.flush().await.unwrap();
        let mut log = Vec::new();
        for row in self.store.rows(&Filter::default(), 0, 100).await.unwrap() {
            let text = match row.kind {
                Kind::Lifecycle => row.summary.unwrap().to_string(),
                _ => String::from_utf8(self.body(row.seq).await.to_vec()).unwrap(),
            };
            let mark = match (row.kind, row.direction) {
                (Kind::Lifecycle, _) => "-",
                (_, Some(Direction::ClientToServer)) => ">",
                _ => "<",
            };
            log.push(format!("{mark} {text}"));
        }
        log
    }
}

#[tokio::test]
async fn an_edited_frame_is_recorded_as_it_crossed_and_as_it_was_read() {
    let mut bench = bench(|| Rewriting);
    bench.send("a").await;
    assert_eq!(bench.next().await, "a+-");
    let log = bench.log().await;
    let frames: Vec<_> = log.iter().filter(|line| !line.starts_with('-')).collect();
    assert_eq!(frames, ["> a+", "< a+", "< a+-"]);
    let notes: Vec<_> = log.iter().filter(|line| line.starts_with('-')).collect();
    assert_eq!(notes.len(), 2, "{notes:?}");
}

#[tokio::test]
async fn a_dropped_frame_is_recorded_and_read_by_nobody() {
    let mut bench = bench(|| Losing(b"lost"));
    bench.send("lost").await;
    bench.send("kept").await;
    assert_eq!(bench.next().await, "kept");
    let log = bench.log().await;
    assert!(log.contains(&"< lost".to_owned()), "{log:?}");
    assert!(log.iter().any(|line| line.ends_with("was dropped")), "{log:?}");
}

#[tokio::test(start_paused = true)]
async fn a_delayed_frame_comes_later_and_keeps_nobody_waiting() {
    let mut bench = bench(|| Slow(Duration::from_secs(30)));
    let begun = Instant::now();
    bench.send("a").await;
    bench.send("b").await;
    assert_eq!(begun.elapsed(), Duration::ZERO);
    assert_eq!(bench.next().await, "a");
    assert_eq!(bench.next().await, "b");
    assert_eq!(begun.elapsed().as_secs(), 30);
}

#[tokio::test]
async fn a_held_frame_waits_for_a_decision_and_the_link_goes_on() {
    let (tell_held, mut held) = mpsc::unbounded_channel();
    let (decide, decisions) = mpsc::unbounded_channel();
    let interceptor = std::sync::Mutex::new(Some(Breakpoint {
        held: tell_held,
        decisions,
    }));
    let mut bench = bench(move || interceptor.lock().unwrap().take().unwrap());
    let first = bench.send("a").await;
    let second = bench.send("b").await;
    let third = bench.send("c").await;
    let decided = async {
        for frame in [first, second, third] {
            assert_eq!(held.recv().await, Some(frame));
        }
        decide.send((third, Action::Pass)).unwrap();
        decide
            .send((first, Action::Edit(Bytes::from_static(b"A"))))
            .unwrap();
        decide.send((second, Action::Drop)).unwrap();
    };
    let (came, ()) = tokio::join!(bench.next(), decided);
    assert_eq!(came, "c");
    assert_eq!(bench.next().await, "A");
    bench.link.close(None);
    let Some(Event::Ended(ended)) = bench.link.next().await else {
        panic!("another frame");
    };
    assert_eq!(ended.unwritten, 0);
    assert!(bench.link.next().await.is_none());
    let log = bench.log().await;
    for line in ["> a", "> b", "> c", "> A", "< c", "< A"] {
        assert!(log.contains(&line.to_owned()), "{line}: {log:?}");
    }
    assert!(!log.contains(&"< b".to_owned()), "{log:?}");
}

/// What is held when the server ends: what came is handed out, what was not sent is counted.
#[tokio::test]
async fn the_end_hands_out_what_came_and_counts_what_was_not_sent() {
    struct HoldAll;
    impl Interceptor for HoldAll {
        fn incoming(&mut self, _: &Received) -> Action {
            Action::Hold
        }
        fn outgoing(&mut self, message: &Outgoing) -> Action {
            if &message.frame[..] == b"kept" {
                Action::Hold
            } else {
                Action::Pass
            }
        }
    }
    let mut bench = bench(|| HoldAll);
    bench.send("went").await;
    bench.send("kept").await;
    // The server has answered once its end is near.
    let idle = tokio::time::timeout(Duration::from_millis(50), bench.link.next()).await;
    assert!(idle.is_err());
    bench.link.close(None);
    assert_eq!(bench.next().await, "went");
    let Some(Event::Ended(ended)) = bench.link.next().await else {
        panic!("another frame");
    };
    assert_eq!(ended.unwritten, 1);
}
