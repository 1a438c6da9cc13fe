//! All encodings, with all chunk boundaries.

use std::io::Write;

use super::*;

const LIMITS: Limits = Limits {
    total: Some(1 << 20),
    ratio: 500,
};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bare(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// `hello, hello, hello`, as compressed by Node.
const BROTLI: &[u8] =
    b"\x1b\x12\x00\xf8\x8d\x94\x6e\xde\x44\x09\x52\x86\x96\x6c\x2c\x6f\x11\x4f\x24\xd0\x71\x00";
const TEXT: &[u8] = b"hello, hello, hello";

fn decoded(encoding: Option<&str>, parts: &[&[u8]]) -> Result<Vec<u8>, Undecodable> {
    let mut decoder = Decoder::new(encoding, LIMITS);
    let mut all = Vec::new();
    for part in parts {
        all.extend_from_slice(&decoder.push(Bytes::copy_from_slice(part))?);
    }
    all.extend_from_slice(&decoder.finish()?);
    Ok(all)
}

#[test]
fn every_encoding_is_decoded_at_every_chunk_boundary() {
    let bodies = [
        (None, TEXT.to_vec()),
        (Some("identity"), TEXT.to_vec()),
        (Some("none"), TEXT.to_vec()),
        (Some("gzip"), gzip(TEXT)),
        (Some("X-GZIP"), gzip(TEXT)),
        (Some("gzip"), [gzip(b"hello, "), gzip(b"hello, hello")].concat()),
        (Some("deflate"), zlib(TEXT)),
        (Some("deflate"), bare(TEXT)),
        (Some("br"), BROTLI.to_vec()),
    ];
    for (encoding, body) in bodies {
        for cut in 0..=body.len() {
            let (one, other) = body.split_at(cut);
            assert_eq!(
                decoded(encoding, &[one, other]).as_deref(),
                Ok(TEXT),
                "{encoding:?} {cut}"
            );
        }
        let bytes: Vec<&[u8]> = body.chunks(1).collect();
        assert_eq!(decoded(encoding, &bytes).as_deref(), Ok(TEXT), "{encoding:?}");
    }
}

#[test]
fn an_incomplete_body_is_detected() {
    for (encoding, body) in [
        ("gzip", gzip(TEXT)),
        ("deflate", zlib(TEXT)),
        ("br", BROTLI.to_vec()),
    ] {
        for cut in 1..body.len() - 1 {
            let got = decoded(Some(encoding), &[&body[..cut]]);
            assert_eq!(got, Err(Undecodable::Cut), "{encoding} {cut}");
        }
        assert_eq!(decoded(Some(encoding), &[]), Ok(Vec::new()));
    }
}

#[test]
fn flushed_data_is_returned_at_once() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    let mut decoder = Decoder::new(Some("gzip"), LIMITS);
    for event in ["data: one\n\n", "data: two\n\n"] {
        encoder.write_all(event.as_bytes()).unwrap();
        encoder.flush().unwrap();
        let sent = std::mem::take(encoder.get_mut());
        assert_eq!(decoder.push(sent.into()).unwrap(), event);
    }
}

#[test]
fn a_stream_has_no_size_limit_but_a_ratio_limit() {
    let mut decoder = Decoder::new(Some("gzip"), LIMITS);
    decoder.without_end();
    let body = gzip(&vec![b'x'; 8 << 20]);
    assert_eq!(decoder.push(body.into()), Err(Undecodable::Bomb(500)));

    let mut decoder = Decoder::new(None, LIMITS);
    decoder.without_end();
    for _ in 0..4 {
        decoder.push(vec![0; 1 << 20].into()).unwrap();
    }
}
