//! Header values: whatever text goes in, visible ASCII, spaces and tabs come out, and the same text comes back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use patchbay_protocol::headers;

fuzz_target!(|value: &str| {
    let encoded = headers::encode(value);
    let carried = encoded.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t'));
    assert!(carried, "{encoded:?}");
    assert_eq!(
        encoded.trim_matches([' ', '\t']),
        encoded,
        "padding does not survive HTTP"
    );
    let decoded = headers::decode(&encoded);
    assert_eq!(decoded.as_deref(), Some(value));
});
