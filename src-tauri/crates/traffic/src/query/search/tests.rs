use bytes::Bytes;

use super::*;
use crate::{Direction, HttpFields, HttpHead, NewConnection, Origin, Store, StoreOptions};

#[test]
fn a_text_without_special_characters_has_one_form() {
    assert_eq!(forms("tools/call <a> 'b' #1"), ["tools/call <a> 'b' #1"]);
    assert_eq!(forms(r#"say "hi""#), [r#"say "hi""#, r#"say \"hi\""#]);
    assert_eq!(forms("caf\u{e9}"), ["caf\u{e9}", r"caf\u00e9"]);
    assert_eq!(
        forms("\u{e9}\n\u{1f600}"),
        ["\u{e9}\n\u{1f600}", "\u{e9}\\n\u{1f600}", r"\u00e9\n\ud83d\ude00"]
    );
}

/// Texts as a user writes them, and frames with them as peers do.
const CASES: [(&str, &str); 8] = [
    (r"C:\Users\me", r#"{"path":"C:\\Users\\me\\a.txt"}"#),
    (r#"say "hi""#, r#"{"text":"Say \"Hi\" again"}"#),
    ("one\ntwo", r#"{"text":"zero\nOne\nTwo"}"#),
    ("tab\there", r#"{"text":"a tab\there"}"#),
    ("caf\u{e9}", r#"{"text":"Caf\u00E9 au lait"}"#),
    ("na\u{ef}ve", "{\"text\":\"na\u{ef}ve\"}"),
    ("\u{1f600} \"x\"", r#"{"text":"\uD83D\ude00 \"X\""}"#),
    (r#"{"already":"#, r#"{"already":"raw"}"#),
];

#[tokio::test]
async fn a_text_is_found_however_a_peer_escapes_it() {
    let (store, recorder) = Store::open(StoreOptions::default()).unwrap();
    let connection = recorder.connection(NewConnection {
        server_id: "one".to_owned(),
        server_name: "one".to_owned(),
        origin: Origin::Client,
    });
    let frame = async |text: &str| {
        let bytes = Bytes::copy_from_slice(text.as_bytes());
        let recorded = recorder.frame(connection, Direction::ServerToClient, bytes);
        recorded.await.unwrap()
    };
    let mut seqs = Vec::new();
    for (_, written) in CASES {
        seqs.push(frame(written).await);
        // The index decides for each block.
        for _ in 0..BLOCK {
            frame(r#"{"text":"another"}"#).await;
        }
    }
    let mut fields = HttpFields::default();
    fields.push("x-note", br#"the "quoted" note"#);
    let head = HttpHead {
        fields,
        ..HttpHead::default()
    };
    let exchange = recorder.http_begin(connection, head, None, None).await.unwrap();
    recorder.flush().await.unwrap();
    let found = async |text: &str| -> Vec<Seq> {
        let filter = Filter::default().containing(text);
        let rows = store.rows(&filter, 0, 10).await.unwrap();
        rows.iter().map(|row| row.seq).collect()
    };
    for ((text, written), seq) in CASES.iter().zip(seqs) {
        assert_eq!(found(text).await, [seq], "{text} in {written}");
    }
    assert_eq!(found(r#"the "quoted" note"#).await, [exchange]);
    assert_eq!(found(r"C:\Nobody").await, Vec::<Seq>::new());
}
