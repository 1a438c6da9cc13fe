//! HTTP exchanges in the log.

use super::files::folder;
use super::*;
use crate::{HttpFields, HttpHead, HttpStage, HttpTiming};

fn fields(list: &[(&str, &str)]) -> HttpFields {
    let mut fields = HttpFields::default();
    for (name, value) in list {
        fields.push(name, value.as_bytes());
    }
    fields
}

fn head(url: &str, list: &[(&str, &str)]) -> HttpHead {
    HttpHead {
        method: "POST".to_owned(),
        url: url.to_owned(),
        fields: fields(list),
        body: None,
        body_size: None,
    }
}

fn answered(status: u16, kind: &str) -> HttpStage {
    HttpStage::Head {
        status,
        reason: "Some".into(),
        version: "HTTP/1.1".into(),
        fields: fields(&[("content-type", kind)]),
    }
}

impl Harness {
    async fn begin(&self, head: HttpHead, carries: Option<Seq>) -> Seq {
        self.recorder
            .http_begin(self.one, head, carries, None)
            .await
            .unwrap()
    }

    async fn stages(&self, exchange: Seq) -> Vec<HttpStage> {
        self.flush().await;
        let record = self.store.http(exchange).await.unwrap().unwrap();
        record.stages.into_iter().map(|moment| moment.stage).collect()
    }
}

/// The result is the same whether the stages are written at once or each in a separate transaction.
#[tokio::test]
async fn late_stages_yield_the_same_exchange() {
    let timing = HttpTiming {
        remote: "127.0.0.1:80".to_owned(),
        connect_ns: 7,
        ..HttpTiming::default()
    };
    for flushes in 0..64 {
        let harness = Harness::new();
        let step = async |n: u32| {
            if flushes & (1 << n) != 0 {
                harness.flush().await;
            }
        };
        let sent = harness.sent("request").await;
        step(0).await;
        let head = head("http://one/mcp", &[("accept", "a, b"), ("x-id", "1: 2")]);
        let exchange = harness.begin(head.clone(), Some(sent)).await;
        step(1).await;
        harness
            .recorder
            .http_stage(exchange, HttpStage::Timing(timing.clone()));
        let back = answered(200, "text/event-stream; charset=utf-8");
        harness.recorder.http_stage(exchange, back.clone());
        step(2).await;
        let frame = harness
            .recorder
            .frame_in(
                harness.one,
                ServerToClient,
                Bytes::from_static(b"answer"),
                crate::FrameContext {
                    exchange: Some(exchange),
                    ..crate::FrameContext::default()
                },
            )
            .await
            .unwrap();
        let id = HttpStage::SseId {
            id: "7".to_owned(),
            frame: Some(frame),
        };
        harness.recorder.http_event(exchange, id.clone()).await.unwrap();
        step(3).await;
        harness
            .recorder
            .http_body(exchange, Bytes::from_static(b"half "))
            .await
            .unwrap();
        step(4).await;
        harness
            .recorder
            .http_body(exchange, Bytes::from_static(b"body"))
            .await
            .unwrap();
        step(5).await;
        let end = HttpStage::End {
            bytes: 9,
            status: 200,
        };
        harness.recorder.http_stage(exchange, end.clone());

        let rows = harness.all().await;
        let latency = rows[1].latency_ns.unwrap();
        assert_eq!(
            script(&rows).replace(&format!(" +{latency}"), ""),
            "1 one -> Invalid \"request\" @2 7 B\n\
             2 one -> Http POST \"POST http://one/mcp \u{2192} 200 text/event-stream\" Ok 9 B\n\
             3 one <- Invalid \"answer\" @2 6 B\n",
            "{flushes:b}"
        );
        let record = harness.store.http(exchange).await.unwrap().unwrap();
        assert_eq!(record.frames, [1, 3]);
        assert_eq!(record.omitted, 0);
        assert_eq!(record.stages.last().unwrap().after_ns, latency);
        assert_eq!(
            harness.stages(exchange).await,
            [
                HttpStage::Sent(head),
                HttpStage::Timing(timing.clone()),
                back,
                id,
                end
            ]
        );
        assert_eq!(harness.body(exchange).await, "half body");
        assert_eq!(harness.store.http(sent).await.unwrap(), None);
        let related = |record: Record| record.related.iter().map(|row| row.seq).collect::<Vec<_>>();
        let of = async |seq| related(harness.store.record(seq).await.unwrap().unwrap());
        assert_eq!((of(2).await, of(3).await), (vec![1, 3], vec![2]));
    }
}

#[tokio::test]
async fn every_end_has_a_status() {
    let failed = |timed_out, may_have_been_sent| HttpStage::Failed {
        step: "head".into(),
        cause: "x".to_owned(),
        timed_out,
        may_have_been_sent,
    };
    let ends = [
        (
            HttpStage::End {
                bytes: 0,
                status: 404,
            },
            Status::Error,
        ),
        (HttpStage::Aborted { bytes: 3 }, Status::Cancelled),
        (failed(true, true), Status::TimedOut),
        (failed(false, true), Status::Lost),
        (failed(false, false), Status::Error),
    ];
    let harness = Harness::new();
    for (end, status) in ends {
        let exchange = harness.begin(head("http://one/", &[]), None).await;
        harness.flush().await;
        assert_eq!(harness.all().await.pop().unwrap().status, Some(Status::Pending));
        harness.recorder.http_stage(exchange, end);
        assert_eq!(harness.all().await.pop().unwrap().status, Some(status));
    }
}

/// In the request, in the head and in the body, whether they are written at once or later.
#[tokio::test]
async fn masked_secrets_of_an_exchange_are_counted() {
    for flushes in 0..4 {
        let harness = Harness::new();
        harness.recorder.redact(vec![Secret::new("from-the-vault")]);
        let exchange = harness
            .begin(head("http://h/p", &[("x-any", "from-the-vault")]), None)
            .await;
        if flushes & 1 != 0 {
            harness.flush().await;
        }
        let fields = fields(&[("x-echo", "from-the-vault"), ("x-other", "plain")]);
        let reason = "OK".into();
        let version = "HTTP/2".into();
        harness.recorder.http_stage(
            exchange,
            HttpStage::Head {
                status: 200,
                reason,
                version,
                fields,
            },
        );
        if flushes & 2 != 0 {
            harness.flush().await;
        }
        let body = Bytes::from_static(b"from-the-vault and ZnJvbS10aGUtdmF1bHQ=");
        harness.recorder.http_body(exchange, body).await.unwrap();
        harness.flush().await;
        let record = harness.store.record(exchange).await.unwrap().unwrap();
        assert_eq!(record.redactions, 4, "{flushes}");
    }
}

#[tokio::test]
async fn http_credentials_are_masked_before_they_are_queued() {
    let harness = Harness::new();
    harness.recorder.redact(vec![Secret::new("from-the-vault")]);
    let url = "https://me:passw0rd@h/p?a=1&Access_Token=0123456789abcdef&code=xyz#token=qwertz";
    let exchange = harness
        .begin(
            head(
                url,
                &[
                    ("authorization", "Bearer 0123456789abcdef"),
                    ("x-api-key", "short"),
                    ("cookie", "a=0123456789abcdef; b=2"),
                    ("mcp-session-id", "plain"),
                    ("x-any", "is from-the-vault"),
                ],
            ),
            None,
        )
        .await;
    harness.recorder.http_stage(
        exchange,
        HttpStage::Head {
            status: 302,
            reason: "Found".into(),
            version: "HTTP/2".into(),
            fields: fields(&[
                ("set-cookie", "s=secret; Path=/; HttpOnly"),
                ("location", "/cb?code=secret&x=1"),
                ("www-authenticate", "Bearer scope=\"a\""),
                ("x-ratelimit-remaining-tokens", "1234"),
            ]),
        },
    );
    harness.recorder.http_stage(
        exchange,
        HttpStage::Redirect {
            to: "http://h/cb?code=secret".to_owned(),
            followed: false,
            why: "because".to_owned(),
        },
    );
    let masked_url = "https://me:********@h/p?a=1&Access_Token=************cdef&code=***#token=******";
    assert_eq!(
        harness.stages(exchange).await,
        [
            HttpStage::Sent(head(
                masked_url,
                &[
                    ("authorization", "Bearer ************cdef"),
                    ("x-api-key", "*****"),
                    ("cookie", "a=************cdef; b=*"),
                    ("mcp-session-id", "plain"),
                    ("x-any", "is **************"),
                ]
            )),
            HttpStage::Head {
                status: 302,
                reason: "Found".into(),
                version: "HTTP/2".into(),
                fields: fields(&[
                    ("set-cookie", "s=******; Path=/; HttpOnly"),
                    ("location", "/cb?code=******&x=1"),
                    ("www-authenticate", "Bearer scope=\"a\""),
                    ("x-ratelimit-remaining-tokens", "1234"),
                ]),
            },
            HttpStage::Redirect {
                to: "http://h/cb?code=******".to_owned(),
                followed: false,
                why: "because".to_owned(),
            },
        ]
    );
    let summary = harness.all().await.pop().unwrap().summary.unwrap();
    assert_eq!(summary, format!("POST {masked_url} \u{2192} 302"));
    let text = std::fs::read(harness.store.inner.readers.path()).unwrap();
    let wal = std::fs::read(harness.store.inner.readers.path().with_extension("sqlite-wal")).unwrap();
    for secret in ["passw0rd", "0123456789abcdef", "qwertz", "from-the-vault"] {
        let found = |bytes: &[u8]| bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
        assert!(!found(&text) && !found(&wal), "{secret}");
    }
}

#[tokio::test]
async fn exchanges_are_found_by_head_and_body_and_removed_by_a_clear() {
    let (_folder, path) = folder();
    let harness = Harness::at(Some(path.clone()));
    let exchange = harness
        .begin(head("http://one/", &[("x-trace", "NeedleHead")]), None)
        .await;
    harness
        .recorder
        .http_body(exchange, Bytes::from_static(b"<p>Needle"))
        .await
        .unwrap();
    harness.flush().await;
    harness
        .recorder
        .http_body(exchange, Bytes::from_static(b"Body</p>"))
        .await
        .unwrap();
    harness.recorder.http_stage(exchange, answered(200, "text/later"));
    harness.flush().await;
    for (text, count) in [
        ("needlehead", 1),
        ("needlebody", 1),
        ("text/later", 1),
        ("nothing", 0),
    ] {
        let filter = Filter::default().kinds(&[Kind::Http]).containing(text);
        assert_eq!(harness.store.count(&filter).await.unwrap(), count, "{text}");
    }
    let (_, lines) = harness.store.export_jsonl(0, std::io::sink()).await.unwrap();
    assert_eq!(lines, 0);
    harness.store.clear(Some("one")).await.unwrap();
    let left = |table: &str| {
        Connection::open(&path)
            .unwrap()
            .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                row.get::<_, i64>(0)
            })
            .unwrap()
    };
    for table in ["http_stage", "http_later", "http_body", "record"] {
        assert_eq!(left(table), 0, "{table}");
    }
    assert_eq!(harness.store.http(exchange).await.unwrap(), None);
}

#[tokio::test]
async fn a_summary_that_was_completed_later_is_found_as_a_whole() {
    let harness = Harness::new();
    let exchange = harness.begin(head("https://host/mcp", &[]), None).await;
    harness.store.flush().await.unwrap();
    harness.recorder.http_stage(exchange, answered(401, "text/html"));
    harness.store.flush().await.unwrap();
    let row = harness
        .store
        .rows(&Filter::default(), 0, 1)
        .await
        .unwrap()
        .remove(0);
    let summary = row.summary.unwrap();
    assert_eq!(summary, "POST https://host/mcp → 401 text/html");
    for text in [&*summary, "mcp → 401", "p → 4", "cp "] {
        let found = harness
            .store
            .count(&Filter::default().containing(text))
            .await
            .unwrap();
        assert_eq!(found, 1, "{text}");
    }
}

#[tokio::test]
async fn a_long_stream_is_truncated_and_counted() {
    let harness = Harness::new();
    let exchange = harness.begin(head("http://one/", &[]), None).await;
    for n in 0..3000 {
        let stage = HttpStage::SseComment { text: n.to_string() };
        harness.recorder.http_event(exchange, stage).await.unwrap();
    }
    let end = HttpStage::Aborted { bytes: 9 };
    harness.recorder.http_stage(exchange, end.clone());
    harness.flush().await;
    let record = harness.store.http(exchange).await.unwrap().unwrap();
    assert_eq!((record.stages.len(), record.omitted), (2000, 1002));
    assert_eq!(record.stages.last().unwrap().stage, end);
}

#[tokio::test]
async fn long_stages_of_a_stream_are_bounded_in_bytes_and_counted() {
    const COMMENTS: u64 = 60;
    let harness = Harness::new();
    let sent = harness.sent("request").await;
    let exchange = harness.begin(head("http://one/", &[]), Some(sent)).await;
    for _ in 0..COMMENTS {
        let text = "x".repeat(64 << 10);
        let stage = HttpStage::SseComment { text };
        harness.recorder.http_event(exchange, stage).await.unwrap();
    }
    let end = HttpStage::Aborted { bytes: 9 };
    harness.recorder.http_stage(exchange, end.clone());
    harness.flush().await;
    let record = harness.store.http(exchange).await.unwrap().unwrap();
    let shown = record.stages.len() as u64;
    assert!((10..20).contains(&shown), "{shown} are shown");
    assert_eq!(record.omitted, 2 + COMMENTS - shown);
    assert_eq!(record.stages.last().unwrap().stage, end);
    assert_eq!(record.frames, [sent]);
}

#[tokio::test]
async fn a_log_of_the_previous_version_is_migrated() {
    let (_folder, path) = folder();
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut db = Connection::open(&path).unwrap();
    assert!(crate::disk::schema::migrate_to(&mut db, 1).is_ok());
    db.execute_batch(
        "INSERT INTO run (id, wall_ns, last_seq) VALUES (1, 0, 0);
         INSERT INTO connection (id, run, server_id, server_name) VALUES (1, 1, 'one', 'ONE');
         INSERT INTO record (seq, connection, kind, direction, at_ns, size, redactions, violation_count)
             VALUES (1, 1, 4, 0, 5, 3, 0, 0);
         INSERT INTO body (seq, bytes) VALUES (1, x'6f6c64');",
    )
    .unwrap();
    drop(db);
    let harness = Harness::at(Some(path));
    let exchange = harness.begin(head("http://one/", &[]), None).await;
    harness.recorder.http_stage(
        exchange,
        HttpStage::End {
            bytes: 0,
            status: 200,
        },
    );
    let rows = harness.all().await;
    assert_eq!((rows[0].summary.as_deref(), rows[0].http), (Some("old"), None));
    assert_eq!((rows[1].kind, rows[1].status), (Kind::Http, Some(Status::Ok)));
}

#[tokio::test]
async fn a_recording_round_trips() {
    use crate::recording::{RecordedHttp, read};
    use crate::{FrameContext, OperationId};

    let harness = Harness::new();
    let operation = Some(OperationId(5));
    let context = |exchange| FrameContext {
        exchange,
        operation,
        read_at_ns: None,
    };
    let frame = |direction, bytes: &'static [u8], exchange| {
        let bytes = Bytes::from_static(bytes);
        harness
            .recorder
            .frame_in(harness.one, direction, bytes, context(exchange))
    };
    let sent = frame(ClientToServer, b"{\"id\":1}", None).await.unwrap();
    let exchange = harness.begin(head("http://one/", &[]), Some(sent)).await;
    harness.recorder.http_stage(
        exchange,
        HttpStage::Head {
            status: 202,
            reason: "".into(),
            version: "HTTP/1.1".into(),
            fields: HttpFields::default(),
        },
    );
    let came = frame(ServerToClient, b"\xff\n", Some(exchange)).await.unwrap();
    harness
        .recorder
        .stderr(harness.two, Bytes::from_static("warn\u{e9}".as_bytes()));
    let rows = harness.all().await;
    let (bytes, lines) = harness.store.export_jsonl(0, Vec::new()).await.unwrap();
    let frames: Vec<_> = read(&bytes[..]).map(Result::unwrap).collect();
    assert_eq!((frames.len() as u64, lines), (3, 3));
    for (frame, row) in frames
        .iter()
        .zip(rows.iter().filter(|row| row.kind != Kind::Http))
    {
        let at_ms = (frame.at_ns / 1000) as f64 / 1000.0;
        assert_eq!(
            (frame.seq, frame.connection, at_ms),
            (row.seq, row.connection, row.at_ms)
        );
        assert_eq!((frame.direction, frame.operation), (row.direction, row.operation));
        assert_eq!(frame.bytes, harness.store.body(frame.seq).await.unwrap().unwrap());
    }
    let http = |status, reply_to| {
        Some(RecordedHttp {
            exchange,
            status,
            reply_to,
        })
    };
    let carriers: Vec<_> = frames.iter().map(|frame| (frame.seq, frame.http)).collect();
    assert_eq!(
        carriers,
        [
            (sent, http(None, None)),
            (came, http(Some(202), Some(sent))),
            (frames[2].seq, None)
        ]
    );
}
