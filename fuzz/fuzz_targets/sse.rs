//! An event stream, split anywhere: the pieces parse to the same events as the whole, and never exceed the limit.
#![no_main]

// The module itself, not its crate, so that neither HTTP nor SQLite is built.
#[allow(dead_code, unreachable_pub)]
#[path = "../../src-tauri/crates/http/src/decode/sse.rs"]
mod sse;

use bytes::Bytes;
use libfuzzer_sys::fuzz_target;

const LIMIT: usize = 1 << 10;

/// The events a parser finds in the pieces, and whether it gave up.
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
