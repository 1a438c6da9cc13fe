//! Encodings of encodings, after anything, in pieces of any size, and cut off anywhere.

use super::*;

type Encode = fn(&str) -> String;
const ENCODINGS: [Encode; 8] = [
    |text| STANDARD.encode(text),
    |text| URL_SAFE_NO_PAD.encode(format!("ab{text}")),
    |text| text.bytes().map(|byte| format!("%{byte:02X}")).collect(),
    |text| text.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect(),
    |text| text.bytes().map(|byte| format!("{byte:02x}")).collect(),
    |text| data_encoding::BASE32.encode(text.as_bytes()),
    |text| {
        data_encoding::BASE32_NOPAD
            .encode(text.as_bytes())
            .to_ascii_lowercase()
    },
    |text| {
        let lines = STANDARD.encode(text);
        lines
            .as_bytes()
            .chunks(12)
            .map(String::from_utf8_lossy)
            .collect::<Vec<_>>()
            .join("\r\n")
    },
];
const SECRET: &str = "s3cr3t-t0k3n-of/some+length";

fn recorded(redactor: &Redactor, text: &[u8], piece: usize) -> Vec<u8> {
    let (mut body, mut recorded) = (BodyMask::default(), Vec::new());
    for (number, part) in text.chunks(piece).enumerate() {
        body.push(part);
        if let Some(ready) = body.ready(redactor, (number + 1) * piece >= text.len()) {
            body.take(&ready);
            recorded.extend_from_slice(&ready.bytes);
        }
    }
    recorded
}

/// Whether more than a quarter of the encoded secret is still there in one piece.
fn shows(encoded: &str, recorded: &[u8]) -> bool {
    let length = encoded.len() / 4 + 1;
    let mut parts = encoded.as_bytes().windows(length);
    parts.any(|part| memchr::memmem::find(recorded, part).is_some())
}

#[test]
fn two_encodings_hide_nothing() {
    let redactor = redactor(&[SECRET, "another-secret"]);
    for (outer, first) in ENCODINGS.iter().enumerate() {
        for (inner, second) in ENCODINGS.iter().enumerate() {
            let encoded = first(&second(SECRET));
            for before in ["", "k", "ke", "key/", "a key: "] {
                let text = format!("{before}{encoded}");
                let (masked, found) = redactor.bytes(Bytes::from(text.clone()));
                assert_eq!(
                    (masked.len(), found),
                    (text.len(), 1),
                    "{outer} of {inner}: {masked:?}"
                );
                assert!(!shows(&encoded, &masked), "{outer} of {inner}: {masked:?}");
            }
        }
    }
}

#[test]
fn pieces_of_a_body_hide_nothing() {
    let redactor = redactor(&[SECRET]);
    let filler = "some text. ".repeat(200);
    for first in ENCODINGS {
        for second in ENCODINGS {
            let encoded = first(&second(SECRET));
            let text = format!("{filler}{encoded}{filler}");
            for piece in [7, 97, 700] {
                let recorded = recorded(&redactor, text.as_bytes(), piece);
                assert_eq!(recorded.len(), text.len());
                assert!(!shows(&encoded, &recorded), "{piece}: {encoded}");
            }
        }
    }
}

#[test]
fn a_body_that_is_cut_off_within_an_encoding_hides_nothing() {
    let redactor = redactor(&[SECRET]);
    for first in ENCODINGS {
        for second in ENCODINGS {
            let encoded = first(&second(SECRET));
            for cut in 1..40.min(encoded.len() / 2) {
                let text = format!("some text {}", &encoded[..encoded.len() - cut]);
                let recorded = recorded(&redactor, text.as_bytes(), text.len());
                assert!(
                    !shows(&encoded, &recorded),
                    "{cut} of {encoded}: {}",
                    String::from_utf8_lossy(&recorded)
                );
            }
        }
    }
}

#[test]
fn nothing_else_is_masked() {
    let redactor = redactor(&[SECRET, "hunter"]);
    for text in [
        "a/path/of/some/length/without/a/secret",
        "bm90aGluZyBzZWNyZXQgaGVyZSBhdCBhbGw=",
        "6e6f7468696e6720736563726574206865726520",
        "bm90aGluZyBz\r\nZWNyZXQgaGVy\r\n",
        "JBSWY3DPEBXG65DINFXGOIDTMVRXEZLU",
        "TWENTYTHREELETTERSINAROW",
        "abc%2",
        "abc&#",
    ] {
        let (masked, found) = redactor.bytes(Bytes::from(text));
        assert_eq!((masked, found), (Bytes::from(text), 0));
    }
}
