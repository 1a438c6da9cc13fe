use patchbay_protocol::limits::{TEXT_BYTES, VIOLATIONS};

use super::*;

fn observed(frame: &str) -> Description {
    observed_by(&mut Observer::new(), frame)
}

fn observed_by(observer: &mut Observer, frame: &str) -> Description {
    let crossing = Crossing::new(Direction::ServerToClient, 0);
    let text = Text::of(frame.as_bytes());
    let mut messages = observer.frame(&text, &crossing, Vec::new()).messages;
    let located = messages.remove(0);
    observer.message(1, &crossing, text.as_str(), located).description
}

/// A batch is summarised by the number of its messages.
#[test]
fn a_batch_says_how_many_messages_it_holds() {
    let summary = |frame: &str| {
        let text = Text::of(frame.as_bytes());
        let crossing = Crossing::new(Direction::ClientToServer, 0);
        Observer::new()
            .frame(&text, &crossing, Vec::new())
            .whole
            .and_then(|whole| whole.summary)
    };
    let ping = |id: u8| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    assert_eq!(summary(&format!("[{}]", ping(1))).as_deref(), Some("1 message"));
    assert_eq!(
        summary(&format!("[{},{}]", ping(1), ping(2))).as_deref(),
        Some("2 messages")
    );
    assert_eq!(summary("[]"), None);
}

/// Whatever a peer sends, the description of it is small: the bytes are in the record.
#[test]
fn a_description_is_small_whatever_was_sent() {
    let long = "x".repeat(1 << 20);
    let frame = format!(r#"{{"jsonrpc":"2.0","id":"{long}","method":"{long}","params":{{}}}}"#);
    let description = observed(&frame);
    let texts = [
        description.method.as_deref().unwrap(),
        description.rpc_id.as_deref().unwrap(),
    ];
    assert!(
        texts.iter().all(|text| text.len() <= TEXT_BYTES + 3),
        "{}",
        texts[0].len()
    );
    assert!(
        description
            .violations
            .iter()
            .all(|found| found.message.len() <= TEXT_BYTES + 3)
    );

    let members: String = (0..2 * VIOLATIONS).flat_map(|_| "\"id\":1,".chars()).collect();
    let frame = format!(r#"{{"jsonrpc":"2.0",{members}"method":"m"}}"#);
    let violations = observed(&frame).violations;
    assert_eq!(violations.len(), VIOLATIONS + 1);
    let last = violations.last().unwrap();
    assert_eq!(last.rule, Rule::LimitExceeded);
    assert!(
        last.message
            .ends_with("more violations of this message are not listed"),
        "{}",
        last.message
    );
}

#[test]
fn a_lowered_limit_of_violations_holds() {
    let limits = Limits {
        violations_per_message: 10,
        ..Limits::default()
    };
    let members = "\"id\":1,".repeat(50);
    let frame = format!(r#"{{"jsonrpc":"2.0",{members}"method":"m"}}"#);
    let violations = observed_by(&mut Observer::within(limits), &frame).violations;
    assert_eq!(violations.len(), 11);
    assert_eq!(violations[10].rule, Rule::LimitExceeded);
}
