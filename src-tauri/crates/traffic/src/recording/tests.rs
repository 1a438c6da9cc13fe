use super::*;

fn all(text: &str) -> Vec<Result<RecordedFrame, String>> {
    read(text.as_bytes())
        .map(|frame| frame.map_err(|error| error.to_string()))
        .collect()
}

#[test]
fn frames_are_read_with_their_context() {
    let text = concat!(
        r#"{"seq":1,"atMs":1700000000000.001,"connection":3,"dir":"clientToServer","raw":"{\"id\":1}\n","http":{"exchange":2},"operation":7}"#,
        "\n\n",
        r#"{"seq":3,"atMs":1700000000000.5,"connection":3,"dir":"serverToClient","rawBase64":"/w==","http":{"exchange":2,"status":200,"replyTo":1}}"#,
        "\r\n",
        r#"{"seq":4,"atMs":0,"connection":3,"dir":"stderr","raw":"é","masked":true,"filtered":true}"#,
    );
    let frames: Vec<_> = all(text).into_iter().map(Result::unwrap).collect();
    let http = |status, reply_to| {
        Some(RecordedHttp {
            exchange: 2,
            status,
            reply_to,
        })
    };
    assert_eq!(frames.len(), 3);
    assert_eq!(
        frames[0],
        RecordedFrame {
            seq: 1,
            connection: 3,
            direction: Some(Direction::ClientToServer),
            at_ns: 1_700_000_000_000_001_000,
            bytes: Bytes::from_static(b"{\"id\":1}\n"),
            http: http(None, None),
            operation: Some(OperationId(7)),
            members: Vec::new(),
            is_masked: false,
            is_filtered: false,
        }
    );
    assert_eq!(
        (&frames[1].bytes[..], frames[1].http),
        (&b"\xff"[..], http(Some(200), Some(1)))
    );
    assert_eq!(
        (frames[2].direction, &frames[2].bytes[..], frames[2].is_masked),
        (None, "é".as_bytes(), true)
    );
}

#[test]
fn an_unreadable_line_yields_an_error() {
    let good = r#"{"seq":1,"atMs":0,"connection":1,"dir":"stderr","raw":""}"#;
    let neither = r#"{"seq":1,"atMs":0,"connection":1,"dir":"stderr"}"#;
    let sideways = good.replace("stderr", "sideways");
    let read = all(&format!("{{\n{good}\n{neither}\n{sideways}\n{good}"));
    let errors: Vec<&str> = read
        .iter()
        .map(|read| read.as_ref().map_or_else(String::as_str, |_| "a frame"))
        .collect();
    assert_eq!(
        errors,
        [
            "line 1 of the recording is not a frame: EOF while parsing an object at line 1 column 1",
            "a frame",
            "line 3 of the recording is not a frame: it needs either \"raw\" or \"rawBase64\"",
            "line 4 of the recording is not a frame: \"sideways\" is not a direction",
            "a frame",
        ]
    );
}

#[test]
fn a_time_beyond_every_clock_is_the_last_one() {
    let text = r#"{"seq":1,"atMs":1e300,"connection":3,"dir":"stderr","raw":""}"#;
    let frame = all(text).pop().unwrap().unwrap();
    assert_eq!(frame.at_ns, u64::MAX);
}
