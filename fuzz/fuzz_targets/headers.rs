//! Header values: any text encodes to visible ASCII, spaces and tabs, and decodes to the same text.
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
