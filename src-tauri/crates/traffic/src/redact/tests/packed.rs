//! What is compressed within a text.

use data_encoding::{BASE32_NOPAD, HEXLOWER};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use std::io::Write as _;

use super::*;

type Pack = fn(&[u8], Compression) -> Vec<u8>;
const FORMATS: [(&str, Pack); 3] = [
    ("gzip", |bytes, level| {
        let mut encoder = GzEncoder::new(Vec::new(), level);
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }),
    ("zlib", |bytes, level| {
        let mut encoder = ZlibEncoder::new(Vec::new(), level);
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }),
    ("deflate", |bytes, level| {
        let mut encoder = DeflateEncoder::new(Vec::new(), level);
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }),
];
const SECRET: &str = "s3cr3t-t0k3n-of/some+length";

fn gzip(text: &[u8]) -> Vec<u8> {
    FORMATS[0].1(text, Compression::default())
}

/// Whether more than the beginning of what was encoded is left.
fn shows(encoded: &str, masked: &[u8]) -> bool {
    let part = &encoded.as_bytes()[encoded.len() / 4..];
    memchr::memmem::find(masked, &part[..part.len().min(12)]).is_some()
}

#[test]
fn a_compressed_secret_is_masked_in_every_format_and_level() {
    let redactor = redactor(&[SECRET, "another-secret"]);
    let texts = [
        SECRET.to_owned(),
        format!("{{\"token\":\"{SECRET}\",\"list\":[{}]}}", "1,2,3,".repeat(300)),
        format!("{{\"token\":\"{}\"}}", STANDARD.encode(SECRET)),
        SECRET
            .encode_utf16()
            .map(|unit| format!("\\u{unit:04x}"))
            .collect(),
    ];
    for text in &texts {
        for (format, pack) in FORMATS {
            for level in [0, 1, 6, 9] {
                let packed = pack(text.as_bytes(), Compression::new(level));
                for encoded in [
                    STANDARD.encode(&packed),
                    URL_SAFE_NO_PAD.encode(&packed),
                    HEXLOWER.encode(&packed),
                    BASE32_NOPAD.encode(&packed),
                    STANDARD.encode(STANDARD.encode(&packed)),
                ] {
                    for before in ["", "keys/", "data:application/gzip;base64,"] {
                        let frame = format!(r#"{{"jsonrpc":"2.0","result":"{before}{encoded}","id":1}}"#);
                        let (masked, found) = redactor.bytes(Bytes::from(frame.clone()));
                        let shown = String::from_utf8_lossy(&masked);
                        assert_eq!(masked.len(), frame.len());
                        assert!(found > 0, "{format} {level}: {shown}");
                        assert!(!shows(&encoded, &masked), "{format} {level}: {shown}");
                        assert!(shown.ends_with(r#"","id":1}"#), "{shown}");
                    }
                }
            }
        }
    }
}

#[test]
fn compressed_twice_and_damaged_hides_nothing() {
    let redactor = redactor(&[SECRET]);
    let once = STANDARD.encode(gzip(SECRET.as_bytes()));
    let twice = STANDARD.encode(gzip(format!("{{\"k\":\"{once}\"}}").as_bytes()));
    let mut damaged = gzip(format!("{SECRET} and some more text").as_bytes());
    let end = damaged.len() - 12;
    damaged[end..].fill(0xff);
    let mut cut = gzip(format!("{SECRET} and some more text").as_bytes());
    cut.truncate(cut.len() - 20);
    for encoded in [twice, STANDARD.encode(damaged), STANDARD.encode(cut)] {
        let (masked, found) = redactor.bytes(Bytes::from(encoded.clone()));
        assert!(found > 0 && !shows(&encoded, &masked), "{encoded}: {masked:?}");
    }
}

#[test]
fn what_has_no_secret_stays() {
    let redactor = redactor(&[SECRET, "hunter"]);
    let nothing = gzip("nothing of interest ".repeat(40).as_bytes());
    for text in [
        STANDARD.encode(&nothing),
        HEXLOWER.encode(&nothing),
        STANDARD.encode([0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0, 0, 13]),
        "notifications/resources/list_changed/and/more".to_owned(),
        "an/identifierWithManyCharactersInIt-and_others".to_owned(),
    ] {
        let text = format!(r#"{{"text":"{text}"}}"#);
        let (masked, found) = redactor.bytes(Bytes::from(text.clone()));
        assert_eq!((masked, found), (Bytes::from(text), 0));
    }
}

/// 40 MB of zeros, and a secret beyond the budget.
#[test]
fn what_is_too_large_to_be_searched_is_masked() {
    let redactor = redactor(&[SECRET]);
    let mut large = vec![0; 40 << 20];
    large.extend_from_slice(SECRET.as_bytes());
    let bomb = STANDARD.encode(gzip(&large));
    let after = STANDARD.encode(gzip(SECRET.as_bytes()));
    let frame = format!(r#"{{"a":"{bomb}","b":"{after}","c":"plain text"}}"#);
    let (masked, _) = redactor.bytes(Bytes::from(frame.clone()));
    let shown = String::from_utf8_lossy(&masked);
    assert!(!shows(&bomb, &masked) && !shows(&after, &masked));
    assert!(
        shown.ends_with(r#"","c":"plain text"}"#),
        "{}",
        &shown[shown.len() - 80..]
    );
}

/// Text that is larger than what is decoded at once, and escaped, so that its positions are mapped.
#[test]
fn compressed_data_beyond_a_window_hides_nothing() {
    let redactor = redactor(&[SECRET]);
    // Random bytes do not become shorter.
    let mut random = 7_u32;
    let mut large: Vec<u8> = std::iter::repeat_with(|| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 24) as u8
    })
    .take(400_000)
    .collect();
    large.extend_from_slice(SECRET.as_bytes());
    let encoded = STANDARD.encode(gzip(&large));
    for text in [
        format!(r#"{{"text":"{encoded}"}}"#),
        format!(r#"{{"text":"{}"}}"#, encoded.replace('/', r"\/")),
    ] {
        let (masked, found) = redactor.bytes(Bytes::from(text.clone()));
        assert_eq!(masked.len(), text.len());
        assert!(found > 0);
        let end = &encoded.as_bytes()[encoded.len() - 60..encoded.len() - 40];
        assert!(memchr::memmem::find(&masked, end).is_none());
    }
}

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

#[test]
fn pieces_of_a_body_hide_nothing_that_is_compressed() {
    let redactor = redactor(&[SECRET]);
    let filler: String = (0..4000).map(|number| format!("{{\"n\":{number}}} ")).collect();
    let json = format!("{filler}{SECRET}{filler}");
    for (_, pack) in FORMATS {
        let encoded = STANDARD.encode(pack(json.as_bytes(), Compression::default()));
        let text = format!("some text: {encoded} and more text");
        for piece in [97, 700, 16_384] {
            let recorded = recorded(&redactor, text.as_bytes(), piece);
            assert_eq!(recorded.len(), text.len());
            assert!(!shows(&encoded, &recorded));
            assert!(recorded.ends_with(b" and more text"));
        }
    }
    // As bytes.
    let packed = gzip(json.as_bytes());
    let recorded = recorded(&redactor, &packed, 700);
    assert_eq!(recorded.len(), packed.len());
    assert!(memchr::memmem::find(&recorded, &packed[200..220]).is_none());
}

/// A body that is compressed and does not end.
#[test]
fn an_endless_compressed_body_is_masked() {
    let redactor = redactor(&[SECRET]);
    let mut random = 7_u32;
    let large: Vec<u8> = std::iter::repeat_with(|| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 24) as u8
    })
    .take(3 << 20)
    .collect();
    let packed = gzip(&[&large, SECRET.as_bytes(), &large[..100_000]].concat());
    let recorded = recorded(&redactor, &packed, 65_536);
    assert_eq!(recorded.len(), packed.len());
    assert!(memchr::memmem::find(&recorded, SECRET.as_bytes()).is_none());
    assert!(recorded[2 << 20..].iter().all(|byte| *byte == b'*'));
}
