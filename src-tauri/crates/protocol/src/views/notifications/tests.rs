use super::*;

fn ids(violations: &[Violation]) -> Vec<&'static str> {
    violations.iter().map(|one| one.rule.id()).collect()
}

#[test]
fn progress_is_read_leniently() {
    let progress = Progress::parse(Some(
        r#"{"progressToken":"t","progress":1.5,"total":3,"message":"m"}"#,
    ));
    assert_eq!(
        (progress.token, progress.progress, progress.total),
        (Some("t".into()), 1.5, Some(3.0))
    );
    assert_eq!(progress.message.as_deref(), Some("m"));
    assert_eq!(ids(&progress.violations), [""; 0]);
    let check = |params: Option<&str>, expected: &[&str]| {
        let progress = Progress::parse(params);
        assert_eq!(ids(&progress.violations), expected, "of {params:?}");
        assert!(progress.progress.is_nan());
    };
    check(None, &["progress-without-token", "member-missing"]);
    check(Some(r#"{"progressToken":1,"progress":"half"}"#), &["member-type"]);
    check(Some("[]"), &["member-type", "progress-without-token"]);
}

#[test]
fn logs_have_one_of_eight_levels() {
    for level in LogLevel::ALL {
        assert_eq!(LogLevel::parse(level.as_str()), Some(level));
    }
    assert!(LogLevel::Debug < LogLevel::Warning && LogLevel::Warning < LogLevel::Emergency);
    let check = |params: &str, level: Option<LogLevel>, expected: &[&str]| {
        let log = LogMessage::parse(Some(params));
        assert_eq!(
            (log.level, ids(&log.violations)),
            (level, expected.to_vec()),
            "of {params}"
        );
    };
    check(r#"{"level":"notice","data":null}"#, Some(LogLevel::Notice), &[]);
    check(r#"{"level":"warn","data":1}"#, None, &["log-level-unknown"]);
    check(r#"{"level":3}"#, None, &["member-missing", "member-type"]);
}

#[test]
fn the_other_notifications() {
    let cancelled = Cancelled::parse(Some(r#"{"requestId":1,"reason":"r"}"#));
    assert_eq!(
        (cancelled.request_id, cancelled.reason.as_deref()),
        (Some(1.into()), Some("r"))
    );
    assert_eq!(ids(&Cancelled::parse(None).violations), ["member-missing"]);
    assert_eq!(ResourceUpdated::parse(Some(r#"{"uri":"u"}"#)).uri, "u");
    assert_eq!(ids(&ResourceUpdated::parse(None).violations), ["member-missing"]);
    let granted = SubscriptionAcknowledged::parse(Some(
        r#"{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}"#,
    ));
    assert_eq!(
        (granted.subscription, granted.granted),
        (Some(1.into()), Some(r#"{"toolsListChanged":true}"#))
    );
    assert_eq!(ids(&granted.violations), [""; 0]);
}
