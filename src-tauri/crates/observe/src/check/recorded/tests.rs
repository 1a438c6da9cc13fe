use super::*;

const ASK: &str = r#"> "id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#;
const MODERN: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// The rules that are broken, with the numbers of the messages (from 1), and whether the connection is incomplete. `>` is
/// from the client, `<` from the server; `@` before it: over HTTP, in the response to a request that is missing.
fn checked(lines: &[&str]) -> (Vec<String>, bool) {
    checked_as(Exported::default(), lines)
}

/// The same for lines that were all exported like this.
fn checked_as(exported: Exported, lines: &[&str]) -> (Vec<String>, bool) {
    let mut connection = RecordedConnection::new();
    let mut found = Vec::new();
    for (line, seq) in lines.iter().zip(1..) {
        let over_http = line.strip_prefix('@');
        let (arrow, rest) = over_http.unwrap_or(line).split_once(' ').unwrap();
        let text = format!("{{\"jsonrpc\":\"2.0\",{rest}}}");
        let frame = TranscriptFrame {
            seq,
            direction: match arrow {
                ">" => Direction::ClientToServer,
                _ => Direction::ServerToClient,
            },
            at_ns: seq,
            bytes: text.as_bytes(),
            http: over_http.map(|_| (100, Some(400), Some(99))),
            operation: None,
            members: &[],
        };
        found.extend(
            connection
                .frame(&frame, exported)
                .iter()
                .map(|(seq, one)| format!("{seq} {}", one.rule.id())),
        );
    }
    (found, connection.is_incomplete())
}

fn valid(lines: &[&str]) {
    assert_eq!(checked(lines), (Vec::new(), true), "{lines:?}");
}

#[test]
fn what_was_not_exported_makes_nothing_invalid() {
    let (answer, progress) = (
        r#"< "id":7,"result":{"content":[]}"#,
        r#"< "method":"notifications/progress","params":{"progressToken":7,"progress":1}"#,
    );
    let call = r#"> "id":8,"method":"tools/call","params":{"name":"t"}"#;
    for before in [&[][..], &[call]] {
        for line in [
            answer,
            progress,
            r#"< "id":1,"method":"roots/list""#,
            r#"< "method":"notifications/cancelled","params":{"requestId":3}"#,
        ] {
            valid(&[before, &[line]].concat());
        }
    }
    // Only requests, of a server that counts from the beginning in each session.
    let asks = r#"< "id":1,"method":"roots/list""#;
    valid(&[asks, asks]);
    valid(&[answer, call, r#"< "id":8,"result":{"content":[]}"#, progress]);
    valid(&[r#"@< "result":{}"#]);
    // It may be about a request that could not be read.
    let unreadable = r#"< "error":{"code":-32700,"message":"m"}"#;
    valid(&[unreadable]);
    valid(&[call, unreadable]);
    // Whether such a schema is allowed depends on the revision.
    valid(&[
        r#"> "id":1,"method":"tools/list""#,
        r##"< "id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"$ref":"https://x/y"}}}}]}"##,
    ]);
}

#[test]
fn what_is_certain_is_reported_without_a_handshake() {
    let call = r#"> "id":8,"method":"tools/call","params":{"name":"t"}"#;
    let answer = r#"< "id":8,"result":{"content":[]}"#;
    assert_eq!(
        checked(&[call, answer, answer, r#"< "id":null,"method":"ping""#]),
        (vec!["3 answered-twice".to_owned(), "4 id-null".to_owned()], true)
    );
    assert_eq!(checked(&[r#"< "id":1.5,"method":"ping""#]).0, ["1 id-type"]);
}

#[test]
fn a_modern_request_says_the_revision() {
    let list = format!(r#"> "id":8,"method":"tools/list","params":{{{MODERN}}}"#);
    let answer = r#"< "id":8,"result":{"resultType":"complete","tools":[]}"#;
    let missing = vec!["3 cache-hint-missing".to_owned(); 2];
    let stray = r#"< "id":3,"result":{"resultType":"complete"}"#;
    assert_eq!(checked(&[stray, &list, answer]), (missing, true));
    // Nobody knows what the server declared, what else is subscribed to, or who asked for messages of the log.
    let named = r#""_meta":{"io.modelcontextprotocol/subscriptionId":5}"#;
    valid(&[
        &list,
        &format!(r#"< "method":"notifications/tools/list_changed","params":{{{named}}}"#),
        r#"< "method":"notifications/message","params":{"level":"debug","data":1}"#,
    ]);
    let task = r#"< "id":9,"result":{"resultType":"task","taskId":"t","status":"working","createdAt":"2026-07-28T00:00:00Z","lastUpdatedAt":"2026-07-28T00:00:00Z","ttlMs":null}"#;
    let call = format!(r#"> "id":9,"method":"tools/call","params":{{"name":"t",{MODERN}}}"#);
    valid(&[&call, task]);
    assert_eq!(
        checked(&[&list, r#"< "id":1,"method":"roots/list""#]).0,
        ["2 method-not-in-era"]
    );
}

#[test]
fn a_whole_session_is_checked_as_strictly_as_ever() {
    let stray = r#"< "id":7,"result":{}"#;
    let early = r#"< "id":1,"method":"roots/list""#;
    let answer = r#"< "id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}"#;
    let (found, in_the_middle) = checked(&[stray, early, ASK, answer, stray]);
    assert_eq!(
        found,
        [
            "1 response-unknown-id",
            "2 request-before-initialized",
            "5 response-unknown-id"
        ]
    );
    assert!(!in_the_middle);
    // A server that ended before it was asked anything.
    assert_eq!(checked(&[r#"< "method":"notifications/x""#]), (Vec::new(), false));
}

/// What a filter left out is missing after a handshake too.
#[test]
fn what_a_filter_left_out_makes_nothing_invalid() {
    let answer = r#"< "id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}"#;
    let lines = [
        ASK,
        answer,
        r#"> "id":2,"method":"tools/list""#,
        r#"< "method":"notifications/progress","params":{"progressToken":7,"progress":1}"#,
        r#"< "id":7,"result":{"content":[]}"#,
        r#"< "id":2,"result":{"tools":[{"name":"t"}]}"#,
    ];
    let filtered = Exported {
        is_filtered: true,
        ..Exported::default()
    };
    // The revision was negotiated all the same.
    let certain = vec!["6 tool-input-schema-missing".to_owned()];
    assert_eq!(checked_as(filtered, &lines), (certain, true));
    // A recording of before there was a mark.
    let (found, is_incomplete) = checked(&lines);
    assert_eq!((found.len(), is_incomplete), (4, false), "{found:?}");
    assert_eq!(checked_as(filtered, &lines[3..4]), (Vec::new(), true));
}

/// What was sent was base64, an address and a name.
#[test]
fn a_masked_value_is_not_judged_by_its_characters() {
    let answer = r#"< "id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1","icons":[{"src":"*****"}]}}"#;
    let lines = [
        ASK,
        answer,
        r#"> "method":"notifications/initialized""#,
        r#"> "id":2,"method":"tools/call","params":{"name":"t"}"#,
        r#"< "id":2,"result":{"content":[{"type":"image","mimeType":"image/png","data":"dTpz****"},{"type":"text"}]}"#,
        r#"> "id":3,"method":"tools/list""#,
        r#"< "id":3,"result":{"tools":[{"name":"a****","inputSchema":{"type":"object"}}]}"#,
    ];
    let masked = Exported {
        is_masked: true,
        ..Exported::default()
    };
    assert_eq!(checked_as(masked, &lines).0, ["5 content-malformed"]);
    assert_eq!(
        checked(&lines).0,
        [
            "2 icon-source",
            "5 content-not-base64",
            "5 content-malformed",
            "7 tool-name-characters"
        ]
    );
}
