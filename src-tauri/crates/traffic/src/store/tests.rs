//! The store through its public interface: recorded input, resulting rows.

mod batches;
mod clears;
mod crash;
mod disk;
mod exchanges;
mod export;
mod files;
#[cfg(target_os = "linux")]
mod fsync;
mod migrations;
mod model;
mod operations;
mod quota;
mod tails;
mod too_large;

use patchbay_protocol::{Rule, Violation};
use patchbay_secret::Secret;

use super::*;
use crate::{Answer, ConnectionRef, Delta, Description, Direction, Kind, NewConnection, Origin, Status};

use Direction::{ClientToServer, ServerToClient};

/// A store in a temporary file with two connected servers.
struct Harness {
    store: Store,
    recorder: Recorder,
    one: ConnectionRef,
    two: ConnectionRef,
}

impl Harness {
    fn new() -> Self {
        Self::at(None)
    }

    fn at(path: Option<PathBuf>) -> Self {
        let (store, recorder) = Store::open(StoreOptions { path }).unwrap();
        let connect = |id: &str| {
            recorder.connection(NewConnection {
                server_id: id.to_owned(),
                server_name: id.to_uppercase(),
                origin: Origin::Client,
            })
        };
        let (one, two) = (connect("one"), connect("two"));
        Self {
            store,
            recorder,
            one,
            two,
        }
    }

    async fn sent(&self, frame: &str) -> Seq {
        self.recorder
            .frame(self.one, ClientToServer, Bytes::copy_from_slice(frame.as_bytes()))
            .await
            .unwrap()
    }

    async fn received(&self, frame: &str) -> Seq {
        self.recorder
            .frame(self.one, ServerToClient, Bytes::copy_from_slice(frame.as_bytes()))
            .await
            .unwrap()
    }

    async fn flush(&self) {
        self.recorder.flush().await.unwrap();
    }

    async fn all(&self) -> Vec<Row> {
        self.flush().await;
        self.store.rows(&Filter::default(), 0, PAGE).await.unwrap()
    }

    /// The whole log, one line per row.
    async fn script(&self) -> String {
        script(&self.all().await)
    }

    async fn body(&self, seq: Seq) -> String {
        String::from_utf8(self.store.body(seq).await.unwrap().unwrap().to_vec()).unwrap()
    }
}

/// `seq server arrow kind #id method "summary" status <->pair +latency !violations ^batch @http size`
fn script(rows: &[Row]) -> String {
    let line = |row: &Row| {
        let mut line = format!("{} {} ", row.seq, row.server_id);
        line += match row.direction {
            Some(ClientToServer) => "-> ",
            Some(ServerToClient) => "<- ",
            None => "",
        };
        line += &format!("{:?}", row.kind);
        let mut add = |text: Option<String>| line += &text.unwrap_or_default();
        add(row.rpc_id.as_ref().map(|id| format!(" #{id}")));
        add(row.method.as_ref().map(|method| format!(" {method}")));
        add(row.summary.as_ref().map(|summary| format!(" {summary:?}")));
        add(row.status.map(|status| format!(" {status:?}")));
        add(row.pair.map(|pair| format!(" <->{pair}")));
        add(row.latency_ns.map(|latency| format!(" +{latency}")));
        add((row.violation_count > 0).then(|| format!(" !{}", row.violation_count)));
        add(row.batch.map(|batch| format!(" ^{batch}")));
        add(row.http.map(|http| format!(" @{http}")));
        add(Some(format!(" {} B\n", row.size)));
        line
    };
    rows.iter().map(line).collect()
}

fn request(id: &str, method: &str) -> Description {
    Description {
        method: Some(method.to_owned().into()),
        rpc_id: Some(id.to_owned()),
        status: Some(Status::Pending),
        ..Description::new(Kind::Request)
    }
}

fn response(id: &str, method: &str, request: Seq) -> Description {
    Description {
        method: Some(method.to_owned().into()),
        rpc_id: Some(id.to_owned()),
        status: Some(Status::Ok),
        pair: Some(request),
        latency_ns: Some(42),
        ..Description::new(Kind::Response)
    }
}

fn answered(response: Seq) -> Answer {
    Answer {
        response: Some(response),
        status: Status::Ok,
        latency_ns: Some(42),
    }
}

/// The rows are the same whether a record's description comes before or after the record was written.
#[tokio::test]
async fn a_late_description_yields_the_same_rows() {
    let expected = "\
        1 one -> Request #1 ping Ok <->2 +42 9 B\n\
        2 one <- Response #1 ping Ok <->1 +42 !2 8 B\n\
        3 one <- Invalid \"stray line\" 11 B\n\
        4 one Lifecycle \"exited\" 7 B\n\
        5 one Stderr \"warn\" 5 B\n";
    for flushes in 0..32 {
        let harness = Harness::new();
        let step = async |n: u32| {
            if flushes & (1 << n) != 0 {
                harness.flush().await;
            }
        };
        let sent = harness.sent("request 1").await;
        step(0).await;
        harness.recorder.describe(sent, request("1", "ping"));
        step(1).await;
        let received = harness.received("answer 1").await;
        step(2).await;
        harness.recorder.answer(sent, answered(received));
        step(3).await;
        let violation = || vec![Violation::at(Rule::NotJson, "/id", "is wrong")];
        harness.recorder.describe(
            received,
            Description {
                violations: violation(),
                ..response("1", "ping", sent)
            },
        );
        step(4).await;
        harness.recorder.violations(received, violation());
        harness.received("stray line\n").await;
        harness
            .recorder
            .lifecycle(
                harness.one,
                "exited".to_owned(),
                Some("status 1".to_owned().split_off(1)),
                None,
            )
            .unwrap();
        harness
            .recorder
            .stderr(harness.one, Bytes::from_static(b"warn\n"));
        assert_eq!(harness.script().await, expected, "{flushes:b}");
        let record = harness.store.record(received).await.unwrap().unwrap();
        assert_eq!(record.violations.len(), 2);
        assert_eq!(record.violations[0].rule, Rule::NotJson.id());
        assert_eq!(record.violations[0].pointer.as_deref(), Some("/id"));
        assert_eq!(record.pair.unwrap().seq, sent);
        assert_eq!(harness.body(sent).await, "request 1");
        assert_eq!(harness.body(4).await, "tatus 1");
        assert_eq!(harness.store.body(99).await.unwrap(), None);
        assert_eq!(harness.store.record(99).await.unwrap(), None);
    }
}

#[tokio::test]
async fn an_answer_is_final() {
    for flush in [false, true] {
        let harness = Harness::new();
        let sent = harness.sent("{}").await;
        harness.recorder.answer(
            sent,
            Answer {
                response: None,
                status: Status::TimedOut,
                latency_ns: Some(7),
            },
        );
        if flush {
            harness.flush().await;
        }
        harness.recorder.describe(sent, request("1", "ping"));
        assert_eq!(
            harness.script().await,
            "1 one -> Request #1 ping TimedOut +7 2 B\n"
        );
    }
}

#[tokio::test]
async fn members_of_a_batch_are_ranges_of_their_frame() {
    for flush in [false, true] {
        let harness = Harness::new();
        let frame = harness.received(r#"[{"a":1},{"b":22}]"#).await;
        harness.recorder.describe(frame, Description::new(Kind::Batch));
        if flush {
            harness.flush().await;
        }
        let mut about = Description::new(Kind::Notification);
        about.method = Some("note".into());
        harness
            .recorder
            .member(harness.one, frame, 1..8, about.clone())
            .await
            .unwrap();
        about.related_to = Some(2);
        harness
            .recorder
            .member(harness.one, frame, 9..17, about)
            .await
            .unwrap();
        assert_eq!(
            harness.script().await,
            "1 one <- Batch 18 B\n\
             2 one <- Notification note ^1 7 B\n\
             3 one <- Notification note ^1 8 B\n"
        );
        assert_eq!(
            (harness.body(2).await.as_str(), harness.body(3).await.as_str()),
            (r#"{"a":1}"#, r#"{"b":22}"#)
        );
        for (seq, related) in [(1, vec![2, 3]), (2, vec![1, 3]), (3, vec![1, 2])] {
            let record = harness.store.record(seq).await.unwrap().unwrap();
            assert_eq!(
                record.related.iter().map(|row| row.seq).collect::<Vec<_>>(),
                related
            );
        }
    }
}

#[tokio::test]
async fn secrets_are_masked_in_every_kind_of_record() {
    let harness = Harness::new();
    harness.sent("before: s3cr3t-t0k3n").await;
    harness
        .recorder
        .redact(vec![Secret::new("s3cr3t-t0k3n"), Secret::new("short")]);
    let sent = harness
        .sent(r#"{"token":"s3cr3t-t0k3n","again":"s3cr3t-t0k3n"}"#)
        .await;
    let mut about = Description::new(Kind::Notification);
    about.summary = Some("has s3cr3t-t0k3n".to_owned());
    harness.recorder.describe(sent, about);
    harness
        .recorder
        .stderr(harness.one, Bytes::from_static(b"using s3cr3t-t0k3n, short"));
    harness
        .recorder
        .lifecycle(
            harness.one,
            "with s3cr3t-t0k3n".to_owned(),
            Some("s3cr3t-t0k3n".to_owned()),
            None,
        )
        .unwrap();
    assert_eq!(
        harness.script().await,
        "1 one -> Invalid \"before: s3cr3t-t0k3n\" 20 B\n\
         2 one -> Notification \"has ************\" 47 B\n\
         3 one Stderr \"using ************, *****\" 25 B\n\
         4 one Lifecycle \"with ************\" 12 B\n"
    );
    assert_eq!(
        harness.body(2).await,
        r#"{"token":"************","again":"************"}"#
    );
    for (seq, count) in [(1, 0), (2, 2), (3, 2), (4, 2)] {
        assert_eq!(
            harness.store.record(seq).await.unwrap().unwrap().redactions,
            count
        );
    }
}

#[tokio::test]
async fn filters_match_server_kind_and_text_anywhere() {
    let harness = Harness::new();
    let ping = harness.sent("{}").await;
    harness.recorder.describe(ping, request("\"id-7\"", "tools/CALL"));
    let other = harness
        .recorder
        .frame(harness.two, ServerToClient, Bytes::from_static(b"BODY id-7"))
        .await
        .unwrap();
    harness.recorder.describe(other, response("1", "tools/list", 1));
    let large = format!("{}needle", "x".repeat(1 << 20));
    harness.received(&large).await;
    harness.received(&large).await;
    let batch = harness.received("[\"inner\",\"Needle\"]").await;
    harness.recorder.describe(batch, Description::new(Kind::Batch));
    harness
        .recorder
        .member(harness.one, batch, 10..16, Description::new(Kind::Invalid))
        .await
        .unwrap();
    harness
        .recorder
        .stderr(harness.two, Bytes::from_static(b"b\xc3\x84d needle"));
    harness.flush().await;
    type Case<'a> = (Option<&'a str>, &'a [Kind], &'a str, &'a [Seq]);
    let cases: [Case<'_>; 11] = [
        (None, &[], "", &[1, 2, 3, 4, 5, 6, 7]),
        (Some("one"), &[], "", &[1, 3, 4, 5, 6]),
        (Some("two"), &[], "", &[2, 7]),
        (Some("nobody"), &[], "", &[]),
        (None, &[Kind::Request, Kind::Stderr], "", &[1, 7]),
        (Some("two"), &[Kind::Request, Kind::Stderr], "", &[7]),
        (None, &[], "tools/call", &[1]),
        (None, &[], "ID-7", &[1, 2]),
        (None, &[], "needle", &[3, 4, 5, 6, 7]),
        (Some("two"), &[], "NEEDLE", &[7]),
        (None, &[], "B\u{c4}D", &[7]),
    ];
    for (server, kinds, text, expected) in cases {
        let mut filter = Filter::default().kinds(kinds).containing(text);
        if let Some(server) = server {
            filter = filter.server(server);
        }
        let rows = harness.store.rows(&filter, 0, PAGE).await.unwrap();
        assert_eq!(
            rows.iter().map(|row| row.seq).collect::<Vec<_>>(),
            expected,
            "{filter:?}"
        );
        assert_eq!(harness.store.count(&filter).await.unwrap(), expected.len() as u64);
        for seq in 0..9 {
            let place = expected
                .iter()
                .position(|found| *found == seq)
                .map(|at| at as u64);
            assert_eq!(harness.store.locate(&filter, seq).await.unwrap(), place);
        }
        let page = harness.store.rows(&filter, 1, 2).await.unwrap();
        assert_eq!(script(&page), script(&rows[1.min(rows.len())..3.min(rows.len())]));
    }
}

#[tokio::test]
async fn a_task_is_followed_by_its_id() {
    let harness = Harness::new();
    // The call that became the task, its status, its result, what the server requested meanwhile, and others.
    harness
        .received(r#"{"result":{"task":{"taskId":"t-1","status":"working"}}}"#)
        .await;
    harness
        .sent(r#"{"method":"tasks/get","params":{ "taskId" : "t-1" }}"#)
        .await;
    harness
        .received(r#"{"method":"notifications/tasks/status","params":{"taskId":"t-10"}}"#)
        .await;
    harness
        .sent(r#"{"method":"tools/call","params":{"name":"t-1","arguments":{"id":"taskId t-1"}}}"#)
        .await;
    let meta = r#"{"params":{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t-1"}}}}"#;
    let batch = harness.received(&format!("[{meta},{{}}]")).await;
    harness.recorder.describe(batch, Description::new(Kind::Batch));
    let member = Description::new(Kind::Request);
    let end = 1 + meta.len();
    harness
        .recorder
        .member(harness.one, batch, 1..end, member)
        .await
        .unwrap();
    harness.flush().await;
    for (text, expected) in [
        ("task:t-1", &[1, 2, 5, 6][..]),
        ("task:T-1", &[]),
        ("task:t-10,t-11", &[3]),
        ("task:t-10,t-1 -kind:batch", &[1, 2, 3, 6]),
        ("-task:t-1", &[3, 4]),
    ] {
        let filter = Filter::parse(text).unwrap();
        let rows = harness.store.rows(&filter, 0, PAGE).await.unwrap();
        let found: Vec<Seq> = rows.iter().map(|row| row.seq).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[tokio::test]
async fn a_closed_store_reports_that_it_is_closed() {
    let harness = Harness::new();
    let path = harness.store.inner.readers.path().to_owned();
    harness.sent("x").await;
    harness.flush().await;
    let mut tail = harness.store.tail(Filter::default());
    assert_eq!(tail.next().await.unwrap().total, 1);
    let (next, closed) = tokio::join!(tail.next(), harness.store.close());
    assert_eq!(next, None);
    closed.unwrap();
    assert!(!path.exists() && !path.parent().unwrap().exists());
    let frame = harness
        .recorder
        .frame(harness.one, ClientToServer, Bytes::new())
        .await;
    assert_eq!(frame, Err(StoreClosed));
    assert_eq!(
        harness.recorder.lifecycle(harness.one, String::new(), None, None),
        Err(StoreClosed)
    );
    assert!(matches!(
        harness.recorder.flush().await,
        Err(StoreError::Closed(_))
    ));
    assert!(matches!(
        harness.store.rows(&Filter::default(), 0, 1).await,
        Err(StoreError::Closed(_))
    ));
    assert!(matches!(
        harness.store.clear(None).await,
        Err(StoreError::Closed(_))
    ));
    harness.store.close().await.unwrap();
}

#[tokio::test]
async fn a_panic_of_a_read_is_an_error_of_this_read() {
    let harness = Harness::new();
    let read = harness
        .store
        .blocking(|_| -> Result<(), StoreError> { panic!("by the test") });
    assert!(matches!(read.await, Err(StoreError::Read { .. })));
    harness.sent("next").await;
    assert_eq!(harness.all().await.len(), 1);
}
