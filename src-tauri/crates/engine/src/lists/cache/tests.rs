use patchbay_contract::Freshness;

use super::is_expired;

#[test]
fn a_list_expires_after_its_lifetime() {
    let kept_for = |ttl_ms| Freshness {
        ttl_ms,
        scope: None,
        since_at_ms: 1_000.0,
    };
    for (ttl_ms, now_at_ms, expired) in [
        (500.0, 1_000.0, false),
        (500.0, 1_500.0, false),
        (500.0, 1_501.0, true),
        // A lifetime of 0 is shown, but the list is not marked as outdated.
        (0.0, 9_000.0, false),
    ] {
        let found = is_expired(&kept_for(ttl_ms), now_at_ms);
        assert_eq!(found, expired, "{ttl_ms} ms, at {now_at_ms}");
    }
}
