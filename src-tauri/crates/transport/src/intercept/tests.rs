//! A minimal interceptor of each kind, as examples for new ones.

use patchbay_traffic::{Direction, Filter, Kind, NewConnection, Origin, Store, StoreOptions};
use tokio::sync::mpsc;

use super::*;
use crate::{InProcess, OutgoingKind};

/// Edits sent and received frames.
struct Rewriting;

impl Interceptor for Rewriting {
    fn outgoing(&mut self, message: &Outgoing) -> Action {
        Action::Edit([&message.frame[..], b"+"].concat().into())
    }

    fn incoming(&mut self, received: &Received) -> Action {
        Action::Edit([&received.frame[..], b"-"].concat().into())
    }
}

/// Drops every response that contains a text.
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

/// Delays each response.
struct Slow(Duration);

impl Interceptor for Slow {
    fn incoming(&mut self, _: &Received) -> Action {
        Action::Delay(self.0)
    }
}

/// Holds sent frames until a decision.
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

struct Harness {
    link: Box<dyn Link>,
    store: Store,
}

/// A wrapped link to a server that echoes everything.
fn harness<I: Interceptor + 'static>(make: impl Fn() -> I + Send + Sync + 'static) -> Harness {
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
    let link = connector
        .connect(Dialect::Modern, Tap::new(recorder, connection))
        .unwrap();
    Harness { link, store }
}

impl Harness {
    async fn send(&mut self, frame: &'static str) -> Seq {
        let message = Outgoing {
            frame: Bytes::from_static(frame.as_bytes()),
            kind: OutgoingKind::Notification { method: "x".into() },
            headers: Vec::new(),
            operation: None,
        };
        self.link.send(message).await.unwrap()
    }

    /// The next frame, with its recorded form.
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

    /// The log: `>` sent, `<` received.
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
async fn an_edited_frame_is_recorded_in_both_forms() {
    let mut harness = harness(|| Rewriting);
    harness.send("a").await;
    assert_eq!(harness.next().await, "a+-");
    let log = harness.log().await;
    let frames: Vec<_> = log.iter().filter(|line| !line.starts_with('-')).collect();
    assert_eq!(frames, ["> a+", "< a+", "< a+-"]);
    let notes: Vec<_> = log.iter().filter(|line| line.starts_with('-')).collect();
    assert_eq!(notes.len(), 2, "{notes:?}");
}

#[tokio::test]
async fn a_dropped_frame_is_recorded_and_not_read() {
    let mut harness = harness(|| Losing(b"lost"));
    harness.send("lost").await;
    harness.send("kept").await;
    assert_eq!(harness.next().await, "kept");
    let log = harness.log().await;
    assert!(log.contains(&"< lost".to_owned()), "{log:?}");
    assert!(log.iter().any(|line| line.ends_with("was dropped")), "{log:?}");
}

#[tokio::test(start_paused = true)]
async fn a_delayed_frame_does_not_block_others() {
    let mut harness = harness(|| Slow(Duration::from_secs(30)));
    let begun = Instant::now();
    harness.send("a").await;
    harness.send("b").await;
    assert_eq!(begun.elapsed(), Duration::ZERO);
    assert_eq!(harness.next().await, "a");
    assert_eq!(harness.next().await, "b");
    assert_eq!(begun.elapsed().as_secs(), 30);
}

#[tokio::test]
async fn a_held_frame_waits_while_the_link_continues() {
    let (tell_held, mut held) = mpsc::unbounded_channel();
    let (decide, decisions) = mpsc::unbounded_channel();
    let interceptor = std::sync::Mutex::new(Some(Breakpoint {
        held: tell_held,
        decisions,
    }));
    let mut harness = harness(move || interceptor.lock().unwrap().take().unwrap());
    let first = harness.send("a").await;
    let second = harness.send("b").await;
    let third = harness.send("c").await;
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
    let (came, ()) = tokio::join!(harness.next(), decided);
    assert_eq!(came, "c");
    assert_eq!(harness.next().await, "A");
    harness.link.close(None);
    let Some(Event::Ended(ended)) = harness.link.next().await else {
        panic!("another frame");
    };
    assert_eq!(ended.unwritten, 0);
    assert!(harness.link.next().await.is_none());
    let log = harness.log().await;
    for line in ["> a", "> b", "> c", "> A", "< c", "< A"] {
        assert!(log.contains(&line.to_owned()), "{line}: {log:?}");
    }
    assert!(!log.contains(&"< b".to_owned()), "{log:?}");
}

/// Held frames at the end of the server: received ones are handed out, unsent ones are counted.
#[tokio::test]
async fn the_end_hands_out_received_frames_and_counts_unsent_ones() {
    struct HoldAll(mpsc::UnboundedSender<Seq>);
    impl Interceptor for HoldAll {
        fn held(&mut self, frame: Seq) {
            self.0.send(frame).unwrap();
        }
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
    let (tell_held, mut held) = mpsc::unbounded_channel();
    let mut harness = harness(move || HoldAll(tell_held.clone()));
    harness.send("went").await;
    harness.send("kept").await;
    // What is not sent and the response to what is are held, and nothing is handed out.
    let both_held = async { (held.recv().await, held.recv().await) };
    tokio::select! {
        event = harness.link.next() => panic!("{event:?}"),
        (unsent, received) = both_held => assert!(unsent.is_some() && received.is_some()),
    }
    let idle = tokio::time::timeout(Duration::from_millis(50), harness.link.next()).await;
    assert!(idle.is_err());
    harness.link.close(None);
    assert_eq!(harness.next().await, "went");
    let Some(Event::Ended(ended)) = harness.link.next().await else {
        panic!("another frame");
    };
    assert_eq!(ended.unwritten, 1);
}
