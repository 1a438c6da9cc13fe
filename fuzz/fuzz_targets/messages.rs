//! A frame: decoding never fails, and every span it returns lies within the input.
#![no_main]

use libfuzzer_sys::fuzz_target;
use patchbay_protocol::message::Text;

fuzz_target!(|frame: &[u8]| {
    let text = Text::of(frame);
    let decoded = text.decode();
    for located in &decoded.messages {
        assert!(
            text.as_str().get(located.span.clone()).is_some(),
            "{:?}",
            located.span
        );
    }
    if decoded.messages.len() > 1 {
        let said = decoded.batch || !decoded.violations.is_empty();
        assert!(said, "several messages in one frame, and nobody says so");
    }
});
