//! The export as JSON Lines: the whole log, or the records that a filter matches.

use super::*;

#[tokio::test]
async fn the_export_has_the_recorded_bytes_as_json_lines() {
    let harness = Harness::new();
    let batch = harness.sent(r#"[{"n":9007199254740993},1.10]"#).await;
    harness
        .recorder
        .member(harness.one, batch, 1..24, Description::new(Kind::Request))
        .await
        .unwrap();
    harness
        .recorder
        .frame(harness.two, ServerToClient, Bytes::from_static(b"\xff\xfe"))
        .await
        .unwrap();
    harness
        .recorder
        .stderr(harness.two, Bytes::from_static(b"a \"quoted\" line\n"));
    harness
        .recorder
        .lifecycle(harness.one, "exited".to_owned(), None, None)
        .unwrap();
    harness.received("").await;
    let (text, lines) = harness.store.export_jsonl(0, Vec::new()).await.unwrap();
    let text = String::from_utf8(text).unwrap();
    let mut times = Vec::new();
    let mut rest = String::new();
    for line in text.lines() {
        let (head, tail) = line.split_once(",\"atMs\":").unwrap();
        let (at_ms, tail) = tail.split_once(',').unwrap();
        times.push(at_ms.parse::<f64>().unwrap());
        rest += &format!("{head},{tail}\n");
    }
    assert_eq!(
        rest,
        concat!(
            r#"{"seq":1,"connection":1,"dir":"clientToServer","raw":"[{\"n\":9007199254740993},1.10]"}"#,
            "\n",
            r#"{"seq":3,"connection":2,"dir":"serverToClient","rawBase64":"//4="}"#,
            "\n",
            r#"{"seq":4,"connection":2,"dir":"stderr","raw":"a \"quoted\" line\n"}"#,
            "\n",
            r#"{"seq":6,"connection":1,"dir":"serverToClient","raw":""}"#,
            "\n",
        )
    );
    assert_eq!(lines, 4);
    assert!(times.is_sorted() && times[0] > 1_700_000_000_000.0);
    assert_eq!(harness.store.export_jsonl(4, Vec::new()).await.unwrap().1, 2);
    for _ in 0..600 {
        harness.sent("x").await;
    }
    assert_eq!(
        harness.store.export_jsonl(7, std::io::sink()).await.unwrap().1,
        600
    );
}

#[tokio::test]
async fn the_export_says_which_lines_were_masked() {
    let harness = Harness::new();
    harness
        .recorder
        .redact(vec![patchbay_secret::Secret::new("s3cr3t-t0k3n")]);
    harness.sent("a s3cr3t-t0k3n").await;
    harness.sent("none").await;
    let (text, _) = harness.store.export_jsonl(0, Vec::new()).await.unwrap();
    let lines = String::from_utf8(text).unwrap();
    let masked: Vec<bool> = lines
        .lines()
        .map(|line| line.contains(r#""masked":true"#))
        .collect();
    assert_eq!(masked, [true, false], "{lines}");
}

#[tokio::test]
async fn an_export_says_that_a_filter_left_out_parts_of_connections() {
    let harness = Harness::new();
    harness.sent("x").await;
    harness.flush().await;
    let filters = [
        "",
        "connection:1",
        "after:0",
        "-connection:2",
        "-kind:notification",
        "connection:1 dir:sent",
    ];
    let mut filtered = Vec::new();
    for filter in filters {
        let filter = Filter::parse(filter).unwrap();
        let part = harness
            .store
            .export_part(&filter, ExportCursor::default(), Seq::MAX);
        let text = String::from_utf8(part.await.unwrap().text).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        filtered.push(text.contains(r#""filtered":true"#));
    }
    assert_eq!(filtered, [false, false, false, false, true, true]);
}

/// Exports the records up to `last` that match, and returns the numbers of the lines.
async fn exported(harness: &Harness, filter: &str, first: Seq, last: Seq) -> Vec<Seq> {
    let filter = Filter::parse(filter).unwrap();
    let mut next = Some(ExportCursor::at(first));
    let mut seqs = Vec::new();
    while let Some(cursor) = next {
        let part = harness.store.export_part(&filter, cursor, last).await.unwrap();
        let text = String::from_utf8(part.text).unwrap();
        let before = seqs.len();
        for line in text.lines() {
            let line: crate::recording::Line<'_> = serde_json::from_str(line).unwrap();
            seqs.push(line.seq);
        }
        assert_eq!(part.lines, (seqs.len() - before) as u64);
        next = part.next;
    }
    seqs
}

#[tokio::test]
async fn an_export_has_the_frames_of_the_matching_records() {
    let harness = Harness::new();
    let batch = harness.sent(r#"[{"method":"a"},{"method":"b"}]"#).await;
    harness.recorder.describe(batch, Description::new(Kind::Batch));
    for (range, method) in [(1..15, "a"), (16..30, "b")] {
        let mut member = Description::new(Kind::Request);
        member.method = Some(method.into());
        let added = harness.recorder.member(harness.one, batch, range, member).await;
        added.unwrap();
    }
    harness
        .recorder
        .lifecycle(harness.one, "exited".to_owned(), None, None)
        .unwrap();
    let (text, all) = harness.store.export_jsonl(0, Vec::new()).await.unwrap();
    assert_eq!(all, 1);
    let whole = harness
        .store
        .export_part(&Filter::default(), ExportCursor::default(), Seq::MAX)
        .await
        .unwrap();
    assert_eq!(text, whole.text, "without a filter both exports are the same");
    // Found by one of its messages, the frame is one line; a lifecycle record is none.
    assert_eq!(exported(&harness, "method:b", 0, Seq::MAX).await, [batch]);
    assert_eq!(exported(&harness, "", 0, Seq::MAX).await, [batch]);
    assert_eq!(exported(&harness, "method:c", 0, Seq::MAX).await, [0; 0]);
    let first = harness.sent("x").await;
    for _ in 0..600 {
        harness.sent("x").await;
    }
    let last = harness.sent("y").await;
    harness.flush().await;
    assert_eq!(exported(&harness, "", first, last).await.len(), 602);
    assert_eq!(exported(&harness, "", first + 1, last - 1).await.len(), 600);
    assert_eq!(exported(&harness, "\"y\"", 0, Seq::MAX).await, [last]);
    assert_eq!(exported(&harness, "", last + 1, Seq::MAX).await, [0; 0]);
}

/// Where an export is written to: the longest piece it got, and how many bytes in all.
#[derive(Default)]
struct Longest {
    piece: usize,
    all: usize,
}

impl std::io::Write for Longest {
    fn write(&mut self, piece: &[u8]) -> std::io::Result<usize> {
        self.piece = self.piece.max(piece.len());
        self.all += piece.len();
        Ok(piece.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn an_export_holds_few_large_frames_at_a_time() {
    const FRAMES: usize = 20;
    let harness = Harness::new();
    for _ in 0..FRAMES {
        harness.sent(&"x".repeat(1 << 20)).await;
    }
    harness.flush().await;
    let (to, lines) = harness.store.export_jsonl(0, Longest::default()).await.unwrap();
    assert_eq!(lines, FRAMES as u64);
    assert!(to.all > FRAMES << 20);
    assert!(to.piece < 3 << 20, "{} bytes at once", to.piece);
}
