//! The end of event streams, with a paused clock.

use std::collections::VecDeque;

use super::*;
use crate::Part;

/// Pieces, and how long each takes. After the last one the stream stays open, without another piece.
struct Slow(VecDeque<(Duration, Result<Option<Bytes>, Failure>)>);

impl Pieces for Slow {
    async fn piece(&mut self) -> Result<Option<Bytes>, Failure> {
        let Some((wait, _)) = self.0.front() else {
            return std::future::pending().await;
        };
        tokio::time::sleep(*wait).await;
        self.0.pop_front().unwrap().1
    }
}

fn after(seconds: u64, piece: &str) -> (Duration, Result<Option<Bytes>, Failure>) {
    let piece = Bytes::from(format!("{piece}\n\n"));
    (Duration::from_secs(seconds), Ok(Some(piece)))
}

fn chunk(content: &str, reason: &str) -> String {
    format!(r#"data: {{"choices":[{{"delta":{{"content":"{content}"}},"finish_reason":{reason}}}]}}"#)
}

/// The answer, and how many seconds it took.
async fn answer(
    pieces: impl IntoIterator<Item = (Duration, Result<Option<Bytes>, Failure>)>,
) -> (Result<Answer, Failure>, u64) {
    let began = Instant::now();
    let (deltas, _kept) = mpsc::channel(64);
    let (mut arriving, mut progress) = (Arriving::default(), Progress::default());
    let mut pieces = Slow(pieces.into_iter().collect());
    let read = read_events(
        Api::ChatCompletions,
        &mut pieces,
        &mut arriving,
        &mut progress,
        &deltas,
    );
    let read = read.await;
    let answer = read.and_then(|()| arriving.end("model", Arguments::Checked));
    (answer, began.elapsed().as_secs())
}

fn text(answer: Result<Answer, Failure>) -> String {
    match &answer.unwrap().parts[..] {
        [Part::Text(text)] => text.clone(),
        parts => panic!("{parts:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn comments_do_not_extend_the_patience() {
    let comments = (0..100).map(|_| after(60, ": processing"));
    let (failed, took) = answer([after(0, &chunk("Hel", "null"))].into_iter().chain(comments)).await;
    assert_eq!(failed.unwrap_err().kind, FailureKind::Incomplete);
    assert_eq!(took, 300);
}

#[tokio::test(start_paused = true)]
async fn events_extend_the_patience() {
    let pieces = [
        after(200, &chunk("Hel", "null")),
        after(200, ": processing"),
        after(90, &chunk("lo", "null")),
        after(299, &chunk("", "\"stop\"")),
        after(0, "data: [DONE]"),
    ];
    let (answer, took) = answer(pieces).await;
    assert_eq!((text(answer), took), ("Hello".to_owned(), 789));
}

#[tokio::test(start_paused = true)]
async fn an_empty_reason_to_stop_is_none() {
    for none in [r#""""#, r#""null""#] {
        let pieces = [
            after(0, &chunk("Hel", none)),
            after(60, &chunk("lo", none)),
            after(60, &chunk("", "\"stop\"")),
            after(0, "data: [DONE]"),
        ];
        let (whole, _) = answer(pieces).await;
        assert_eq!(whole.as_ref().unwrap().stop_reason.as_deref(), Some("endTurn"));
        assert_eq!(text(whole), "Hello");
        let broken = Err(Failure::malformed("The connection broke."));
        let (cut, _) = answer([after(0, &chunk("Hel", none)), (Duration::from_secs(1), broken)]).await;
        assert!(cut.is_err(), "{cut:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn silence_after_the_last_event_is_the_end() {
    let usage = r#"data: {"choices":[],"usage":{"prompt_tokens":11,"completion_tokens":7}}"#;
    let pieces = [
        after(1, &chunk("Hello", "\"stop\"")),
        after(4, usage),
        after(3, ": still here"),
        after(3, ": still here"),
    ];
    let (answer, took) = answer(pieces).await;
    assert_eq!(answer.as_ref().unwrap().usage.output, Some(7));
    assert_eq!((text(answer), took), ("Hello".to_owned(), 10));
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_breaks_after_the_last_event_is_the_end() {
    let broken = |pieces: &str| {
        [
            after(1, pieces),
            (
                Duration::from_secs(1),
                Err(Failure::malformed("The connection broke.")),
            ),
        ]
    };
    let (whole, _) = answer(broken(&chunk("Hello", "\"stop\""))).await;
    assert_eq!(text(whole), "Hello");
    let (cut, _) = answer(broken(&chunk("Hel", "null"))).await;
    assert!(cut.is_err(), "{cut:?}");
}
