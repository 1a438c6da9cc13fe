use super::*;
use crate::message::{Message, Text, decode};
use crate::pairing::Pairing;
use crate::views::{InputRequired, ToolsPage};
use crate::{Direction, Era, RequestId, Rule};

/// A frame with too many messages, however they are put together: the rest is one part of the record.
#[test]
fn a_frame_is_taken_apart_up_to_a_limit() {
    let most = Limits::default().messages_per_frame;
    let many = most * 3;
    for text in [
        format!("[{}1]", "1,".repeat(many)),
        "{}".repeat(many),
        "[] ".repeat(many),
    ] {
        let decoded = decode(text.as_bytes());
        // A line of other values is not a sequence of messages.
        if text.starts_with("[] ") {
            assert_eq!(decoded.messages.len(), 1);
            continue;
        }
        assert_eq!(decoded.messages.len(), most + 1);
        let last = decoded.messages.last().unwrap();
        assert!(matches!(last.message, Message::Invalid { .. }));
        assert_eq!(last.violations[0].rule, Rule::LimitExceeded);
        assert_eq!(last.span.end, text.len());
        assert!(last.span.len() > many);
    }
    let text = format!("[{}1]", "1,".repeat(most - 1));
    assert_eq!(decode(text.as_bytes()).messages.len(), most);
}

#[test]
fn a_page_is_checked_up_to_a_limit() {
    let page = format!(r#"{{"tools":[{}{{}}]}}"#, "{},".repeat(TOOLS_PER_PAGE));
    let page = ToolsPage::parse(&page);
    assert_eq!(page.tools.len(), TOOLS_PER_PAGE);
    assert_eq!(page.violations[0].rule, Rule::LimitExceeded);

    let page = format!(r#"{{"tools":[{}1]}}"#, "1,".repeat(MEMBERS));
    let rules: Vec<Rule> = ToolsPage::parse(&page)
        .violations
        .iter()
        .map(|found| found.rule)
        .collect();
    assert_eq!(rules, [Rule::LimitExceeded, Rule::LimitExceeded]);
}

#[test]
fn input_requests_are_read_in_linear_time_and_up_to_a_limit() {
    let request = r#""{}":{"method":"roots/list"},"#;
    let keys = (0..=MEMBERS).map(|key| request.replace("{}", &key.to_string()));
    let result = format!(
        r#"{{"resultType":"input_required","inputRequests":{{{}"z":{{"method":"roots/list"}}}}}}"#,
        keys.collect::<String>()
    );
    let view = InputRequired::parse(&result);
    assert_eq!(view.requests.len(), MEMBERS);
    assert!(!view.complete);
    assert_eq!(view.violations[0].rule, Rule::LimitExceeded);
}

#[test]
fn long_ids_are_shortened_and_stay_apart() {
    let id = |end: &str| format!("\"{}{end}\"", "x".repeat(ID_BYTES));
    let (one, other) = (RequestId::parse(&id("1")), RequestId::parse(&id("2")));
    assert_ne!(one, other);
    assert_eq!(one, RequestId::parse(&id("1")));
    assert!(!one.is_allowed());
    assert!(one.to_json().len() < 200);
    assert_eq!(
        RequestId::parse(&one.to_json()),
        RequestId::Text(crate::json::string(&one.to_json()).unwrap().into())
    );
    let frame = format!(r#"{{"jsonrpc":"2.0","id":{},"method":"m"}}"#, id("1"));
    let decoded = decode(frame.as_bytes());
    assert_eq!(decoded.messages[0].violations[0].rule, Rule::LimitExceeded);
    let nested = format!("{}1{}", "[".repeat(ID_BYTES), "]".repeat(ID_BYTES));
    assert!(RequestId::parse(&nested).to_json().len() < 200);
}

/// In the modern era nothing answers the requests of a server.
#[test]
fn requests_of_a_server_are_remembered_up_to_a_limit() {
    fn begin(pairing: &mut Pairing, direction: Direction, number: u32) -> bool {
        let message = Message::Request {
            id: RequestId::Int(number.into()),
            method: "roots/list".into(),
            params: None,
        };
        let found = pairing.observe(direction, number.into(), 0, &message).violations;
        found
            .iter()
            .any(|violation| violation.rule == Rule::LimitExceeded)
    }
    let mut pairing = Pairing::new();
    pairing.set_era(Era::Modern);
    let open = Limits::default().open_requests;
    let most = u32::try_from(open).unwrap();
    assert!((0..most).all(|number| !begin(&mut pairing, Direction::ServerToClient, number)));
    assert!(begin(&mut pairing, Direction::ServerToClient, most));
    // Ours are not affected, and an answer makes room.
    assert!(!begin(&mut pairing, Direction::ClientToServer, 1));
    assert_eq!(pairing.pending().len(), open + 1);
    let answer = Message::Response {
        id: Some(RequestId::Int(7)),
        outcome: crate::message::Outcome::Result("{}"),
    };
    pairing.observe(Direction::ClientToServer, 1, 0, &answer);
    assert!(!begin(&mut pairing, Direction::ServerToClient, most + 1));
}

#[test]
fn a_lowered_limit_of_a_frame_holds() {
    let limits = Limits {
        messages_per_frame: 2,
        ..Limits::default()
    };
    for text in ["[1,1,1,1]", "{}{}{}{}"] {
        let text = Text::of(text.as_bytes());
        let decoded = text.decode_within(&limits);
        assert_eq!(decoded.messages.len(), 3);
        assert_eq!(decoded.messages[2].violations[0].rule, Rule::LimitExceeded);
    }
}

#[test]
fn a_lowered_limit_of_open_requests_holds() {
    let mut pairing = Pairing::within(Limits {
        open_requests: 1,
        ..Limits::default()
    });
    let begin = |pairing: &mut Pairing, id: u32| {
        let message = Message::Request {
            id: RequestId::Int(id.into()),
            method: "ping".into(),
            params: None,
        };
        let observed = pairing.observe(Direction::ServerToClient, id.into(), 0, &message);
        observed
            .violations
            .iter()
            .map(|found| found.rule)
            .collect::<Vec<_>>()
    };
    assert!(begin(&mut pairing, 1).is_empty());
    assert_eq!(begin(&mut pairing, 2), [Rule::LimitExceeded]);
}

#[test]
fn a_setting_has_a_range_and_a_name() {
    for limit in Limits::ALL {
        let Limit {
            name,
            default,
            least,
            most,
            ..
        } = *limit;
        assert!(least <= default && default <= most, "{name}");
        assert!(limit.meaning.ends_with('.'), "{name}");
        let mut limits = Limits::default();
        assert_eq!(limits.set(name, default), Ok(()));
        assert_eq!(limits, Limits::default(), "{name}");
        for value in [least, most] {
            assert_eq!(limits.set(name, value), Ok(()), "{name}");
        }
        let beyond = most.checked_add(1).unwrap();
        let refused = limits.set(name, beyond).unwrap_err().to_string();
        assert!(
            refused.contains(&format!("from {least} to {most}, not {beyond}")),
            "{refused}"
        );
    }
    let unknown = Limits::with([("listPage", 1)]).unwrap_err().to_string();
    assert!(
        unknown.contains("no limit `listPage`") && unknown.contains("listPages"),
        "{unknown}"
    );
    assert_eq!(Limits::with([("listPages", 7)]).unwrap().list_pages, 7);
}
