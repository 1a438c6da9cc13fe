use proptest::prelude::*;

use super::*;

const LIMIT: usize = 1 << 20;

/// The items of a stream in these chunks, and the incomplete rest.
fn parsed(pieces: &[&[u8]]) -> (Vec<Item>, Option<Bytes>) {
    let mut parser = Parser::new(LIMIT);
    let mut items = Vec::new();
    for piece in pieces {
        parser.push(Bytes::copy_from_slice(piece));
        while let Some(item) = parser.next().unwrap() {
            items.push(item);
        }
    }
    let cut = parser.finish();
    (items, cut)
}

fn items(stream: &str) -> Vec<Item> {
    parsed(&[stream.as_bytes()]).0
}

fn event(name: Option<&str>, id: Option<&str>, data: Option<&str>) -> Item {
    Item::Event(Event {
        name: name.map(str::to_owned),
        id: id.map(str::to_owned),
        data: data.map(|data| Bytes::copy_from_slice(data.as_bytes())),
    })
}

fn data(text: &str) -> Item {
    event(None, None, Some(text))
}

#[test]
fn events_of_every_kind() {
    let cases: &[(&str, &[Item])] = &[
        ("data: {}\n\n", &[data("{}")]),
        ("data:{}\r\n\r\n", &[data("{}")]),
        ("data: {}\r\r", &[data("{}")]),
        ("\u{feff}data: a\n\n", &[data("a")]),
        ("data: \u{feff}a\n\n", &[data("\u{feff}a")]),
        ("data: a\ndata: b\ndata\n\n", &[data("a\nb\n")]),
        ("data:  a \n\n", &[data(" a ")]),
        ("data\n\n", &[data("")]),
        ("id: 7\ndata:\n\n", &[event(None, Some("7"), Some(""))]),
        ("id: 7\n\n", &[event(None, Some("7"), None)]),
        ("id\ndata: x\n\n", &[event(None, Some(""), Some("x"))]),
        ("id: a\0b\ndata: x\n\n", &[data("x")]),
        (
            "event: endpoint\ndata: /m?s=1\n\n",
            &[event(Some("endpoint"), None, Some("/m?s=1"))],
        ),
        ("event:\ndata: x\n\n", &[data("x")]),
        ("retry: 250\n\n", &[Item::Retry(250)]),
        ("retry: -1\nretry: 1.5\nretry:\n\n", &[]),
        ("retry: 99999999999999999999999\n\n", &[Item::Retry(u64::MAX)]),
        (
            ": hello\n:\n\n",
            &[Item::Comment(" hello".into()), Item::Comment(String::new())],
        ),
        ("unknown: x\nDATA: y\n data: z\n\n", &[]),
        ("\n\n\n", &[]),
        ("data: a\n\n\n\ndata: b\n\n", &[data("a"), data("b")]),
    ];
    for (stream, expected) in cases {
        assert_eq!(items(stream), *expected, "{stream:?}");
    }
}

#[test]
fn an_incomplete_rest_is_returned() {
    for (stream, cut) in [
        ("data: {\"a\":", Some("{\"a\":")),
        ("data: {}\n", Some("{}")),
        ("data: {}", Some("{}")),
        ("data: a\ndata: b", Some("a\nb")),
        ("data: {}\n\n", None),
        ("id: 3\n", None),
        (": com", None),
        ("", None),
    ] {
        let (_, found) = parsed(&[stream.as_bytes()]);
        assert_eq!(found.as_deref(), cut.map(str::as_bytes), "{stream:?}");
    }
}

#[test]
fn data_in_one_piece_is_not_copied() {
    let stream = Bytes::from_static(b"data: hello\n\n");
    let mut parser = Parser::new(LIMIT);
    parser.push(stream.clone());
    let Some(Item::Event(event)) = parser.next().unwrap() else {
        panic!("no event")
    };
    assert_eq!(event.data.unwrap().as_ptr(), stream[6..].as_ptr());
}

#[test]
fn an_endless_line_or_event_fails_at_the_limit() {
    let mut parser = Parser::new(100);
    parser.push(Bytes::from_static(b"data: "));
    assert_eq!(parser.next(), Ok(None));
    let mut given = 0;
    let ended = loop {
        parser.push(Bytes::from_static(b"0123456789"));
        given += 10;
        match parser.next() {
            Ok(None) => assert!(given <= 100),
            other => break other,
        }
    };
    assert_eq!(ended, Err(TooLong));

    let mut parser = Parser::new(100);
    let ended = loop {
        parser.push(Bytes::from_static(b"data: 0123456789\n"));
        match parser.next() {
            Ok(None) => {}
            other => break other,
        }
    };
    assert_eq!(ended, Err(TooLong));

    let mut parser = Parser::new(100);
    parser.push(Bytes::from(vec![b'x'; 101]));
    assert_eq!(parser.next(), Err(TooLong));
}

#[test]
fn what_is_too_long_is_kept_up_to_the_limit() {
    let long = "x".repeat(200);
    let lines = ["data: 0123456789\n"; 20].concat();
    for text in [
        format!("data:{long}"),
        format!("data:{long}\n\n"),
        format!("data:{}\ndata:{}\n\n", &long[..60], &long[..60]),
        lines,
    ] {
        for size in [7, text.len()] {
            let mut parser = Parser::new(100);
            let mut pieces = text.as_bytes().chunks(size);
            while parser.next() == Ok(None) {
                parser.push(Bytes::copy_from_slice(pieces.next().unwrap()));
            }
            let kept = parser.finish().unwrap();
            assert!((95..=100).contains(&kept.len()), "{} of {text}", kept.len());
        }
    }
}

#[test]
fn memory_is_independent_of_the_length_of_the_stream() {
    // 100 MiB of events of 1000 bytes, in chunks that split them everywhere.
    let event = format!(": keep-alive\nid: 1\ndata: {}\n\n", "x".repeat(1000));
    let piece = Bytes::from(event.repeat(64));
    let piece = piece.slice(7..);
    let mut parser = Parser::new(LIMIT);
    let mut bytes = 0;
    let mut events = 0;
    while bytes < 100 << 20 {
        bytes += piece.len();
        parser.push(piece.clone());
        while let Some(item) = parser.next().unwrap() {
            events += usize::from(matches!(item, Item::Event(_)));
        }
        assert!(parser.line.capacity() + parser.joined.capacity() < 64 << 10);
        assert!(parser.ready.capacity() < 16);
    }
    assert!(events > 90_000, "{events}");
}

fn field() -> impl Strategy<Value = Vec<u8>> {
    let pieces: &[&[u8]] = &[
        b"data",
        b"data:",
        b"data: ",
        b"id: ",
        b"event: ",
        b"retry: ",
        b":",
        b"{\"a\":1}",
        b"12",
        b"\0",
        b"\r",
        b"\n",
        b"\r\n",
        b"\n\n",
        b"\xef\xbb\xbf",
        b" ",
        b"x",
        b"\xff",
    ];
    let pieces: Vec<Vec<u8>> = pieces.iter().map(|piece| piece.to_vec()).collect();
    prop::collection::vec(prop::sample::select(pieces), 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn any_chunking_yields_the_same_items(stream in field(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let whole = parsed(&[&stream]);
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
        at.extend([0, stream.len()]);
        at.sort_unstable();
        let pieces: Vec<&[u8]> = at.windows(2).map(|pair| &stream[pair[0]..pair[1]]).collect();
        prop_assert_eq!(&parsed(&pieces), &whole);
        let bytes: Vec<&[u8]> = stream.chunks(1).collect();
        prop_assert_eq!(&parsed(&bytes), &whole);
    }

    #[test]
    fn written_events_are_read_back(messages in prop::collection::vec("[^\r\n]{0,60}", 0..8), ending in prop::sample::select(vec!["\n", "\r", "\r\n"])) {
        let stream: String = messages.iter().map(|text| format!("data: {text}{ending}{ending}")).collect();
        let expected: Vec<Item> = messages.iter().map(|text| data(text)).collect();
        prop_assert_eq!(items(&stream), expected);
    }
}

/// After it, little may arrive for a long time.
#[test]
fn the_memory_of_a_long_event_is_given_back_with_it() {
    let half = "x".repeat(2 << 20);
    let mut parser = Parser::new(8 << 20);
    let mut events = 0;
    for chunk in ["data: ", &half, &half, "\ndata: ", &half, "\n\n", "data: next"] {
        parser.push(Bytes::from(chunk.to_owned()));
        while let Some(item) = parser.next().unwrap() {
            assert!(
                matches!(item, Item::Event(Event { data: Some(data), .. }) if data.len() == (6 << 20) + 1)
            );
            events += 1;
        }
    }
    assert_eq!(events, 1);
    assert!(parser.line.capacity() < 1 << 10, "{}", parser.line.capacity());
    assert!(parser.joined.capacity() < 1 << 10, "{}", parser.joined.capacity());
}
