//! How a text can be written, and secrets to write.

use std::io::Write as _;

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use data_encoding::{BASE32, BASE32_NOPAD, BASE32HEX};
use flate2::{
    Compression,
    write::{DeflateEncoder, GzEncoder, ZlibEncoder},
};
use serde_json::json;

type Encode = fn(&str) -> String;

/// Encodings of a text, by name.
pub(super) const ENCODINGS: [(&str, Encode); 56] = [
    ("plain", |text| text.to_owned()),
    ("JSON", |text| inside(&serde_json::to_string(text).unwrap())),
    ("JSON twice", |text| {
        let once = inside(&serde_json::to_string(text).unwrap());
        inside(&serde_json::to_string(&once).unwrap())
    }),
    ("JSON, each character", escaped),
    ("JSON, some characters", |text| {
        let escape = |(at, c): (usize, char)| match at % 3 {
            0 => format!("\\u{:04X}", u32::from(c)),
            _ => inside(&serde_json::to_string(&c.to_string()).unwrap()),
        };
        text.chars().enumerate().map(escape).collect()
    }),
    ("percent", percent),
    ("percent, some characters", |text| {
        let escape = |(at, byte): (usize, u8)| match at % 2 == 0 || !byte.is_ascii_alphanumeric() {
            true => format!("%{byte:02x}"),
            false => char::from(byte).to_string(),
        };
        text.bytes().enumerate().map(escape).collect()
    }),
    ("JSON of percent", |text| {
        text.bytes().map(|byte| format!("\\u0025{byte:02x}")).collect()
    }),
    ("percent of JSON", |text| {
        text.chars()
            .map(|c| format!("%5Cu{:04x}", u32::from(c)))
            .collect()
    }),
    ("entities", |text| {
        text.chars().map(|c| format!("&#{};", u32::from(c))).collect()
    }),
    ("entities in hex", |text| {
        text.chars().map(|c| format!("&#x{:x};", u32::from(c))).collect()
    }),
    ("hex", hex),
    ("base64", |text| STANDARD.encode(text)),
    ("base64url", |text| URL_SAFE_NO_PAD.encode(text)),
    ("base64 within, after 6 bytes", |text| within(6, text)),
    ("base64 within, after 7 bytes", |text| within(7, text)),
    ("base64 within, after 8 bytes", |text| within(8, text)),
    ("base64url within, after 7 bytes", |text| {
        within(7, text).replace('+', "-").replace('/', "_")
    }),
    ("base64 of JSON", |text| {
        STANDARD.encode(json!([text]).to_string())
    }),
    ("base64, wrapped", |text| wrapped(&STANDARD.encode(text))),
    ("capitals", |text| text.to_ascii_uppercase()),
    ("base64 of base64", |text| STANDARD.encode(STANDARD.encode(text))),
    ("base64 of base64, after a slash", |text| {
        format!("keys/{}", STANDARD.encode(STANDARD.encode(text)))
    }),
    ("base64 of base64, both within", |text| {
        within(7, &within(8, text))
    }),
    ("base64 of base64 of base64", |text| {
        STANDARD.encode(URL_SAFE_NO_PAD.encode(STANDARD.encode(text)))
    }),
    ("base64 of base64, both wrapped", |text| {
        wrapped(&STANDARD.encode(wrapped(&STANDARD.encode(text))))
    }),
    ("base64url of percent", |text| {
        URL_SAFE_NO_PAD.encode(percent(text))
    }),
    ("percent of base64", |text| percent(&STANDARD.encode(text))),
    ("percent of base64 of base64", |text| {
        percent(&STANDARD.encode(STANDARD.encode(text)))
    }),
    ("percent of percent", |text| percent(&percent(text))),
    ("base64 of JSON, each character", |text| {
        STANDARD.encode(format!(r#"{{"k":"{}"}}"#, escaped(text)))
    }),
    ("JSON of JSON, each character", |text| escaped(&escaped(text))),
    ("JSON of base64 of base64, each character", |text| {
        escaped(&STANDARD.encode(STANDARD.encode(text)))
    }),
    ("base64 of hex", |text| STANDARD.encode(hex(text))),
    ("hex of base64", |text| hex(&STANDARD.encode(text))),
    ("hex of hex", |text| hex(&hex(text))),
    ("hex of base64 of base64", |text| {
        hex(&STANDARD.encode(STANDARD.encode(text))).to_ascii_uppercase()
    }),
    ("base32", |text| BASE32.encode(text.as_bytes())),
    ("base32, small letters", |text| {
        BASE32_NOPAD.encode(text.as_bytes()).to_ascii_lowercase()
    }),
    ("base32 within, after 7 bytes", |text| {
        BASE32.encode(format!("{}{text}\"}}", &"{\"long\":\""[..7]).as_bytes())
    }),
    ("base32hex", |text| BASE32HEX.encode(text.as_bytes())),
    ("base32 of base64", |text| {
        BASE32.encode(STANDARD.encode(text).as_bytes())
    }),
    ("base64 of base32", |text| {
        STANDARD.encode(BASE32.encode(text.as_bytes()))
    }),
    ("base64 of percent, in capitals", |text| {
        STANDARD.encode(percent(text))
    }),
    ("base64 of UTF-16", |text| STANDARD.encode(utf16(text))),
    ("base64 of base64 of UTF-16", |text| {
        STANDARD.encode(STANDARD.encode(utf16(text)))
    }),
    ("hex of UTF-16", |text| {
        utf16(text).iter().map(|byte| format!("{byte:02X}")).collect()
    }),
    ("base64 of gzip", |text| STANDARD.encode(gzip(text.as_bytes()))),
    ("base64url of gzip", |text| {
        URL_SAFE_NO_PAD.encode(gzip(text.as_bytes()))
    }),
    ("JSON of base64 of gzip, with slashes", |text| {
        STANDARD.encode(gzip(text.as_bytes())).replace('/', "\\/")
    }),
    ("base64 of zlib", |text| STANDARD.encode(zlib(text.as_bytes()))),
    ("base64 of deflate", |text| {
        STANDARD.encode(deflate(text.as_bytes()))
    }),
    ("base64 of gzip of JSON", |text| {
        STANDARD.encode(gzip(
            json!({"list": [1, 2, 3], "k": [text]}).to_string().as_bytes(),
        ))
    }),
    ("base64 of gzip of base64", |text| {
        STANDARD.encode(gzip(STANDARD.encode(text).as_bytes()))
    }),
    ("base64 of base64 of gzip", |text| {
        STANDARD.encode(STANDARD.encode(gzip(text.as_bytes())))
    }),
    ("hex of gzip", |text| {
        gzip(text.as_bytes())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }),
];

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn wrapped(text: &str) -> String {
    let lines: Vec<&str> = text
        .as_bytes()
        .chunks(8)
        .map(|line| std::str::from_utf8(line).unwrap())
        .collect();
    lines.join("\r\n")
}

fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn escaped(text: &str) -> String {
    text.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect()
}

/// In base64, after so many bytes and before some more.
fn within(before: usize, text: &str) -> String {
    STANDARD.encode(format!("{}{text}\"}}", &"{\"long\":\""[..before]))
}

/// How many characters of an encoding hold what is before the secret.
pub(super) fn before(encoding: &str) -> usize {
    match encoding {
        "base64 within, after 6 bytes" => 8,
        "base64 within, after 7 bytes" | "base64url within, after 7 bytes" => 10,
        "base64 within, after 8 bytes" => 11,
        "base64 of JSON" => 3,
        "base32 within, after 7 bytes" => 12,
        "base64 of base64, after a slash" => 5,
        // 7 bytes and 11 characters, which hold 8 bytes.
        "base64 of base64, both within" => 24,
        // `{"k":"`
        "base64 of JSON, each character" => 8,
        _ => 0,
    }
}

fn inside(quoted: &str) -> String {
    quoted[1..quoted.len() - 1].to_owned()
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Blocks that are not compressed (RFC 7932 section 9.2).
pub(super) fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, block) in bytes.chunks(1 << 16).enumerate() {
        let header = (u32::try_from(block.len()).unwrap() - 1) << 3 | 1 << 19;
        // The size of the window, one bit, is before the first.
        let header = header << u32::from(number == 0);
        out.extend_from_slice(&header.to_le_bytes()[..3]);
        out.extend_from_slice(block);
    }
    out.push(3);
    out
}

/// Blocks that are not compressed (RFC 8878 section 3.1.1).
pub(super) fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    for block in bytes.chunks(1 << 16) {
        let header = u32::try_from(block.len()).unwrap() << 3;
        out.extend_from_slice(&header.to_le_bytes()[..3]);
        out.extend_from_slice(block);
    }
    out.extend_from_slice(&[1, 0, 0]);
    out
}

/// Numbers that are the same in each run.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        // Knuth's linear congruential generator; the high bits are the random ones.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn text(&mut self, alphabet: &[u8], length: usize) -> String {
        (0..length)
            .map(|_| char::from(alphabet[self.below(alphabet.len())]))
            .collect()
    }

    /// Of another kind for each number.
    pub(super) fn secret(&mut self, number: usize) -> String {
        const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        match number % 4 {
            0 => {
                let length = 20 + self.below(40);
                self.text(LETTERS, length)
            }
            1 => format!("sk-{}", self.text(LETTERS, 16)),
            2 => {
                let length = 10 + self.below(30);
                self.text(b"abcXYZ019+/=-_.~", length)
            }
            _ => {
                let length = 14 + self.below(20);
                let odd = self.text(br#"abcdefXYZ0123456789"\'<>&%$!{}[]()?*^"#, length);
                format!("q{odd}z")
            }
        }
    }

    /// With several lines, like a private key.
    pub(super) fn lines(&mut self) -> String {
        let mut lines = vec!["-----BEGIN PRIVATE KEY-----".to_owned()];
        for _ in 0..3 {
            lines.push(self.text(
                b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
                64,
            ));
        }
        lines.push("-----END PRIVATE KEY-----".to_owned());
        lines.join("\n")
    }
}
