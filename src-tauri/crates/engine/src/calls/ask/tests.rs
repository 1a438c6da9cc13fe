use patchbay_contract::ExchangeOutcome;

use super::words;

/// A generated server (`tests/soak`) was said not to have answered "within 0 s".
#[test]
fn a_time_limit_below_a_second_is_named() {
    let (_, text) = words(&ExchangeOutcome::TimedOut { after_ms: 400.0 }, None);
    assert!(text.contains("within 0.4 s."), "{text}");
    let (_, text) = words(&ExchangeOutcome::TimedOut { after_ms: 60_000.0 }, None);
    assert!(text.contains("within 60 s."), "{text}");
}
