//! An event stream, cut anywhere: the pieces give what the whole gives, and never more than the limit allows.
#![no_main]

// Private to its crate, and to stay so.
#[allow(dead_code, unreachable_pub)]
#[path = "../../src-tauri/crates/transport/src/sse.rs"]
mod sse;

use bytes::Bytes;
use libfuzzer_sys::fuzz_target;

const LIMIT: usize = 1 << 10;

/// What a parser makes of the pieces: its items, and whether it gave up.
fn read(pieces: &[&[u8]]) -> (Vec<sse::Item>, bool) {
    let mut parser = sse::Parser::new(LIMIT);
    let mut items = Vec::new();
    for piece in pieces {
        parser.push(Bytes::copy_from_slice(piece));
        loop {
            match parser.next() {
                Ok(Some(item)) => items.push(item),
                Ok(None) => break,
                Err(_) => return (items, true),
            }
        }
    }
    (items, false)
}

fuzz_target!(|input: (u8, &[u8])| {
    let (cut, stream) = input;
    let (head, tail) = stream.split_at(usize::from(cut).min(stream.len()));
    let whole = read(&[stream]);
    assert_eq!(whole, read(&[head, tail]), "cut at {cut}");
    let bytes: Vec<&[u8]> = stream.chunks(1).collect();
    assert_eq!(whole, read(&bytes), "byte by byte");
});
