//! Validates every response of every revision against the official schema, and against our own rules.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jsonschema::Validator;
use patchbay_protocol::checks::{self, Carrier, Conversation};
use patchbay_protocol::message::{Message, Outcome, decode};
use patchbay_protocol::pairing::Pairing;
use patchbay_protocol::views::{
    CallToolResult, ClientCapabilities, InputRequired, NotificationView, ToolsPage,
};
use patchbay_protocol::{Direction, Era, Revision, Rule, json};
use serde_json::{Value, json};

use super::{Client, INITIALIZE, INITIALIZED, modern};

/// Valid arguments for each tool. `hang_up` is omitted because it has no response, and tools that request input because
/// they are in `asking`.
const CALLS: &[(&str, &str)] = &[
    ("greet", r#"{"name":"Ada","language":"Français"}"#),
    ("about", "{}"),
    ("add", r#"{"a":1,"b":2}"#),
    ("convert", r#"{"value":0,"from":"celsius","to":"kelvin"}"#),
    ("search", r#"{"query":"e","kinds":["text","image"],"limit":5}"#),
    ("echo_json", r#"{"value":[null,{"a":1}]}"#),
    (
        "book_trip",
        r#"{"traveller":{"name":"Ada","email":"ada@example.com","passport":null},"legs":[{"from":"Oslo","to":"Rome","date":"2026-12-01"}]}"#,
    ),
    (
        "draw_shape",
        r#"{"shape":{"kind":"polygon","points":[[0,0],[1,0],[0,1]]}}"#,
    ),
    ("notify", r#"{"to":{"team":"patch"},"priority":3}"#),
    (
        "count_tree",
        r#"{"root":{"label":"a","children":[{"label":"b","children":[]},{"label":"c"}]}}"#,
    ),
    (
        "create_user",
        r#"{"name":"Ada","login":"ada","role":"admin","reason":"because"}"#,
    ),
    ("update_profile", r#"{"nickname":null,"age":36,"theme":null}"#),
    ("formats", r#"{"date":"2026-07-28","email":"a@example.com"}"#),
    ("big_integers", r#"{"id":9007199254740993}"#),
    (
        "label",
        r#"{"labels":{"a":"b"},"limits":{"max_x":1,"is_y":true}}"#,
    ),
    ("count_slowly", r#"{"steps":3}"#),
    ("sleep", r#"{"seconds":0.5}"#),
    ("log_levels", "{}"),
    ("log_burst", r#"{"count":10}"#),
    ("touch_counter", "{}"),
    ("write_stderr", "{}"),
    ("end_streams", "{}"),
    ("markdown", "{}"),
    ("picture", r#"{"side":16}"#),
    ("sound", r#"{"milliseconds":50}"#),
    ("every_content", "{}"),
    ("large_result", r#"{"bytes":10000,"kind":"structured"}"#),
    ("fail", "{}"),
    ("protocol_error", "{}"),
    ("wrong_structure", "{}"),
    ("toggle_tool", "{}"),
    ("surprise", "{}"),
    ("show_counter", r#"{"step":2}"#),
    ("add_to_counter", r#"{"step":2}"#),
];

/// The other requests, and the schema definition of their results.
const REQUESTS: &[(&str, &str, &str)] = &[
    ("tools/list", "", "ListToolsResult"),
    ("tools/list", r#""cursor":"from-20""#, "ListToolsResult"),
    ("resources/list", "", "ListResourcesResult"),
    ("resources/templates/list", "", "ListResourceTemplatesResult"),
    ("resources/read", r#""uri":"demo://readme""#, "ReadResourceResult"),
    (
        "resources/read",
        r#""uri":"demo://picture.png""#,
        "ReadResourceResult",
    ),
    (
        "resources/read",
        r#""uri":"demo://city/France/Lyon""#,
        "ReadResourceResult",
    ),
    (
        "resources/read",
        r#""uri":"demo://number/12345678901""#,
        "ReadResourceResult",
    ),
    (
        "resources/read",
        r#""uri":"ui://demo/counter""#,
        "ReadResourceResult",
    ),
    ("prompts/list", "", "ListPromptsResult"),
    (
        "prompts/get",
        r#""name":"greeting","arguments":{"name":"Ada"}"#,
        "GetPromptResult",
    ),
    ("prompts/get", r#""name":"tour""#, "GetPromptResult"),
];
const COMPLETION: (&str, &str, &str) = (
    "completion/complete",
    r#""ref":{"type":"ref/prompt","name":"greeting"},"argument":{"name":"style","value":"p"}"#,
    "CompleteResult",
);

/// The definitions of a revision's official schema, compiled on first use.
struct Schema {
    revision: Revision,
    document: Option<Value>,
    compiled: BTreeMap<String, Validator>,
}

impl Schema {
    fn of(revision: Revision) -> Self {
        let named = std::env::var_os("PATCHBAY_SPEC_DIR").map(PathBuf::from);
        let root =
            named.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/spec").into());
        let path = root.join(revision.as_str()).join("schema.json");
        let document = std::fs::read_to_string(&path)
            .ok()
            .map(|text| serde_json::from_str(&text).expect("JSON"));
        if document.is_none() {
            // Bypasses libtest's capture, which hides the output of passing tests.
            let _ = std::io::Write::write_fmt(
                &mut std::io::stderr(),
                format_args!(
                    "SKIPPED the official schema: {} is not there; set PATCHBAY_SPEC_DIR\n",
                    path.display()
                ),
            );
        }
        Self {
            revision,
            document,
            compiled: BTreeMap::new(),
        }
    }

    fn check(&mut self, definition: &str, text: &str) {
        let Some(document) = &self.document else { return };
        let value: Value = serde_json::from_str(text).expect("JSON");
        let validator = self.compiled.entry(definition.to_owned()).or_insert_with(|| {
            let place = if document.get("$defs").is_some() {
                "$defs"
            } else {
                "definitions"
            };
            let mut schema = document.clone();
            schema["$ref"] = json!(format!("#/{place}/{definition}"));
            assert!(
                document[place].get(definition).is_some(),
                "no definition {definition}"
            );
            jsonschema::validator_for(&schema).expect("a schema")
        });
        let problems: Vec<String> = validator
            .iter_errors(&value)
            .map(|problem| format!("{}: {problem}", problem.instance_path()))
            .collect();
        assert!(
            problems.is_empty(),
            "{} {definition}: {problems:?}\n{text}",
            self.revision
        );
    }
}

fn notification_definition(method: &str) -> &'static str {
    match method {
        "notifications/progress" => "ProgressNotification",
        "notifications/message" => "LoggingMessageNotification",
        "notifications/tools/list_changed" => "ToolListChangedNotification",
        "notifications/resources/updated" => "ResourceUpdatedNotification",
        "notifications/subscriptions/acknowledged" => "SubscriptionsAcknowledgedNotification",
        other => panic!("the server sent {other}"),
    }
}

/// A client that validates everything.
struct Checker {
    client: Client,
    schema: Schema,
    pairing: Pairing,
    conversation: Conversation,
    revision: Revision,
    next: u32,
}

impl Checker {
    async fn start(revision: Revision) -> Self {
        let mut checker = Self {
            client: Client::start(),
            schema: Schema::of(revision),
            pairing: Pairing::new(),
            conversation: Conversation::new(),
            revision,
            next: 1,
        };
        checker.pairing.set_era(revision.era());
        let (result, definition) = match revision.era() {
            Era::Legacy => {
                let line = INITIALIZE.replace("2025-11-25", revision.as_str());
                (checker.exchange(&line, "InitializeResult").await, "initialize")
            }
            Era::Modern => (
                checker.ask("server/discover", "", "DiscoverResult").await,
                "discover",
            ),
        };
        let result: Value = serde_json::from_str(&result).expect(definition);
        checker.conversation.agree(
            revision,
            &result["capabilities"].to_string(),
            &ClientCapabilities::none(),
        );
        if revision.era() == Era::Legacy {
            checker.client.send(INITIALIZED).await;
            let message = decode(INITIALIZED.as_bytes()).messages.remove(0).message;
            checker.conversation.observe(
                Direction::ClientToServer,
                &message,
                &NotificationView::Other,
                Carrier::Pipe,
            );
        }
        checker
    }

    /// Sends a request, validates all messages, and returns the text of the result (or error).
    async fn ask(&mut self, method: &str, params: &str, definition: &str) -> String {
        self.next += 1;
        let id = self.next;
        let token = format!(r#""progressToken":{id}"#);
        let comma = if params.is_empty() { "" } else { "," };
        let line = match self.revision.era() {
            Era::Legacy => format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"_meta":{{{token}}}{comma}{params}}}}}"#
            ),
            Era::Modern => {
                let extra = format!(r#",{token},"io.modelcontextprotocol/logLevel":"debug""#);
                modern(id, method, &extra, &format!("{comma}{params}"))
            }
        };
        self.exchange(&line, definition).await
    }

    async fn exchange(&mut self, line: &str, definition: &str) -> String {
        self.note(Direction::ClientToServer, line);
        let mut last = String::new();
        for line in self.client.ask(line).await {
            self.note(Direction::ServerToClient, &line);
            let decoded = decode(line.as_bytes());
            match &decoded.messages[0].message {
                Message::Notification { method, .. } => {
                    self.schema.check(notification_definition(method), &line);
                }
                Message::Response {
                    outcome: Outcome::Result(result),
                    ..
                } => {
                    self.schema.check("JSONRPCMessage", &line);
                    self.schema.check(definition, result);
                    last = (*result).to_owned();
                }
                Message::Response {
                    outcome: Outcome::Error(error),
                    ..
                } => {
                    self.schema.check("JSONRPCMessage", &line);
                    last = error.raw.to_owned();
                }
                other => panic!("the server sent {other:?}"),
            }
        }
        last
    }

    /// Our own rules must not report violations either.
    fn note(&mut self, direction: Direction, line: &str) {
        let decoded = decode(line.as_bytes());
        assert_eq!(decoded.violations, [], "{line}");
        let located = &decoded.messages[0];
        assert_eq!(located.violations, [], "{line}");
        let found = self.pairing.observe(direction, 1, 1, &located.message);
        assert_eq!(found.violations, [], "{line}");
        assert_eq!(
            self.conversation.observe(
                direction,
                &located.message,
                &view_of(&located.message),
                Carrier::Pipe
            ),
            [],
            "{line}"
        );
        if let Message::Response {
            outcome: Outcome::Result(result),
            ..
        } = &located.message
        {
            let method = found.method.unwrap_or_default();
            assert_eq!(checks::result(self.revision.era(), &method, result), [], "{line}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn every_response_of_every_revision_is_valid() {
    for revision in Revision::ALL {
        let mut checker = Checker::start(revision).await;
        for (name, arguments) in CALLS {
            let params = format!(r#""name":"{name}","arguments":{arguments}"#);
            let result = checker.ask("tools/call", &params, "CallToolResult").await;
            if *name == "protocol_error" {
                assert!(result.contains("-32603"), "{result}");
                continue;
            }
            let view = CallToolResult::parse(&result);
            assert_eq!(view.violations, [], "{name}: {result}");
            assert_eq!(view.is_error, *name == "fail", "{name}: {result}");
        }
        for (method, params, definition) in REQUESTS {
            checker.ask(method, params, definition).await;
        }
        if revision > Revision::V2024_11_05 {
            checker.ask(COMPLETION.0, COMPLETION.1, COMPLETION.2).await;
        }
        assert!(
            checker.pairing.drain().is_empty(),
            "{revision}: something was not answered"
        );
        checker.client.finish().await;
    }
}

#[tokio::test(start_paused = true)]
async fn input_requests_are_valid() {
    let mut checker = Checker::start(Revision::LATEST_MODERN).await;
    for name in ["ask_form", "ask_twice", "ask_page", "ask_model", "list_roots"] {
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}}"#;
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":"{name}","method":"tools/call","params":{{{meta},"name":"{name}"}}}}"#
        );
        let answer = checker.client.ask(&line).await.remove(0);
        let decoded = decode(answer.as_bytes());
        let Message::Response {
            outcome: Outcome::Result(result),
            ..
        } = &decoded.messages[0].message
        else {
            panic!("{answer}");
        };
        assert_eq!(InputRequired::parse(result).violations, [], "{answer}");
        checker.schema.check("InputRequiredResult", result);
    }
}

#[tokio::test(start_paused = true)]
async fn tools_are_well_defined_and_all_but_one_match_their_schema() {
    let mut checker = Checker::start(Revision::LATEST_MODERN).await;
    checker
        .ask("tools/call", r#""name":"toggle_tool""#, "CallToolResult")
        .await;
    let mut tools: BTreeMap<String, Value> = BTreeMap::new();
    for params in ["", r#""cursor":"from-20""#] {
        let result = checker.ask("tools/list", params, "ListToolsResult").await;
        for tool in ToolsPage::parse(&result).tools {
            assert_eq!(tool.violations, [], "{}", tool.name);
            assert!(json::well_formed(tool.raw).is_ok() && !tool.raw.contains('\n'));
            tools.insert(
                tool.name.to_string(),
                serde_json::from_str(tool.raw).expect("JSON"),
            );
        }
    }
    let elsewhere = [
        "hang_up",
        "ask_form",
        "ask_twice",
        "ask_page",
        "ask_model",
        "list_roots",
    ];
    let called: Vec<&str> = CALLS.iter().map(|(name, _)| *name).chain(elsewhere).collect();
    assert_eq!(
        tools.len(),
        called.len(),
        "every tool is called once: {:?}",
        tools.keys()
    );
    for (name, arguments) in CALLS {
        let tool = &tools[*name];
        for schema in [Some(&tool["inputSchema"]), tool.get("outputSchema")]
            .into_iter()
            .flatten()
        {
            assert!(jsonschema::meta::is_valid(schema), "{name}: {schema}");
        }
        let arguments: Value = serde_json::from_str(arguments).expect("JSON");
        let input = jsonschema::validator_for(&tool["inputSchema"]).expect("a schema");
        assert!(
            input.is_valid(&arguments),
            "{name}: {:?}",
            input.iter_errors(&arguments).next()
        );
        let Some(output) = tool.get("outputSchema") else {
            continue;
        };
        let params = format!(r#""name":"{name}","arguments":{arguments}"#);
        let result: Value =
            serde_json::from_str(&checker.ask("tools/call", &params, "CallToolResult").await).expect("JSON");
        let fits = jsonschema::is_valid(output, &result["structuredContent"]);
        assert_eq!(fits, *name != "wrong_structure", "{name}: {result}");
    }
    let params = r#""name":"wrong_structure","arguments":{"how":"missing"}"#;
    let missing = checker.ask("tools/call", params, "CallToolResult").await;
    assert_eq!(CallToolResult::parse(&missing).structured, None);
    checker.client.finish().await;
}

#[test]
fn the_checked_rules_can_fail() {
    // The checks above compare with empty lists; this ensures that they really check something.
    let text = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text"}]}}"#;
    let decoded = decode(text.as_bytes());
    let Message::Response {
        outcome: Outcome::Result(result),
        ..
    } = decoded.messages[0].message
    else {
        panic!("{text}")
    };
    let rules: Vec<Rule> = CallToolResult::parse(result)
        .violations
        .iter()
        .map(|one| one.rule)
        .collect();
    assert_eq!(rules, [Rule::ContentMalformed]);
}

fn view_of<'a>(message: &Message<'a>) -> NotificationView<'a> {
    match message {
        Message::Notification { method, params } => NotificationView::parse(method, *params),
        _ => NotificationView::Other,
    }
}
