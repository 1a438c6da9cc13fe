//! What a server sends for each message that it receives.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Script, broken, json::Node, schemas::Schemas};
use crate::random::Random;

/// One act of a server.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// A message, as the bytes of one frame.
    Frame(Vec<u8>),
    /// Waits so many milliseconds.
    Pause(u64),
    /// Writes to stderr.
    Stderr(Vec<u8>),
    /// Ends unannounced.
    End,
}

/// The state of one server.
#[derive(Debug)]
pub(crate) struct Behaviour {
    script: Script,
    schemas: Arc<Schemas>,
    random: Random,
    /// Answers that are sent later.
    held: Vec<Node>,
    last: Option<Node>,
    /// How many things were sent unrequested. Each may cause an answer.
    unrequested: usize,
}

/// A server must not be able to keep a run busy for ever.
const MOST_UNREQUESTED: usize = 2_000;

impl Behaviour {
    pub(crate) fn new(script: Script, schemas: Arc<Schemas>, part: u64) -> Self {
        let random = script.random(part);
        Self {
            script,
            schemas,
            random,
            held: Vec::new(),
            last: None,
            unrequested: 0,
        }
    }

    /// What follows a message of the client.
    pub(crate) fn receive(&mut self, message: &Value) -> Vec<Step> {
        let method = message["method"].as_str();
        let Some((method, id)) = method.zip(message.get("id")) else {
            // A notification or an answer.
            return match self.random.chance(self.script.order / 4) {
                true => self.unrequested(message),
                false => Vec::new(),
            };
        };
        let mut answer = self.answer(method, message);
        answer.set("jsonrpc", Node::text("2.0"));
        answer.set("id", Node::of(id));
        self.ordered(answer, message)
    }

    /// An answer in the right order and time, or in another.
    fn ordered(&mut self, answer: Node, message: &Value) -> Vec<Step> {
        let mut steps = Vec::new();
        let last = self.last.replace(answer.clone());
        if !self.random.chance(self.script.order) {
            if self.random.chance(20) && message["method"] != "initialize" {
                // Valid: a notification that belongs here.
                steps.extend(self.progress(message));
            }
            steps.push(self.frame(answer));
            return steps;
        }
        match self.random.below(12) {
            0 => self.held.push(answer),
            1 => {
                steps.push(Step::Pause(self.random.size(400) as u64));
                steps.push(self.frame(answer));
            }
            2 => {
                steps.push(self.frame(answer.clone()));
                steps.push(self.frame(answer));
            }
            3 => {
                steps.extend(last.map(|last| self.frame(last)));
                steps.push(self.frame(answer));
            }
            4 => {
                steps.extend(self.unrequested(message));
                steps.push(self.frame(answer));
            }
            5 => {
                steps.push(self.frame(answer));
                steps.extend(self.progress(message));
                steps.extend(self.unrequested(message));
            }
            6 => {
                for _ in 0..self.random.size(200) {
                    steps.extend(self.unrequested(message));
                }
                steps.push(self.frame(answer));
            }
            7 => {
                steps.push(self.frame(answer));
                for held in std::mem::take(&mut self.held) {
                    steps.push(self.frame(held));
                }
            }
            8 => {
                let noise = self
                    .random
                    .pick(&["warning: odd\n", "\u{1b}[31m", "no line break", "\n\n\n"]);
                steps.push(Step::Stderr(noise.repeat(self.random.size(2000)).into_bytes()));
                steps.push(self.frame(answer));
            }
            9 => steps.extend([self.frame(answer), Step::End]),
            10 => steps.push(Step::End),
            // Nothing at all.
            _ => {}
        }
        steps
    }

    /// A message that nobody asked for.
    fn unrequested(&mut self, message: &Value) -> Vec<Step> {
        self.unrequested += 1;
        if self.unrequested > MOST_UNREQUESTED {
            return Vec::new();
        }
        let revision = self.script.revision;
        let kind = match self.random.chance(30) && self.schemas.has(revision, "ServerRequest") {
            true => "ServerRequest",
            false => "ServerNotification",
        };
        let Some(name) = self.schemas.alternative(revision, kind, &mut self.random) else {
            return Vec::new();
        };
        let mut told = self.schemas.make(revision, &name, &mut self.random);
        told.set("jsonrpc", Node::text("2.0"));
        if kind == "ServerRequest" {
            told.set("id", Node::text(&format!("s{}", self.unrequested)));
        } else if name == "ProgressNotification"
            && let Some(params) = told.member("params")
        {
            params.set(
                "progressToken",
                Node::of(&message["params"]["_meta"]["progressToken"]),
            );
        }
        vec![self.frame(told)]
    }

    /// Progress of the request, if it asked for it.
    fn progress(&mut self, message: &Value) -> Option<Step> {
        let token = message["params"]["_meta"].get("progressToken")?;
        let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress",
            "params": {"progressToken": token, "progress": self.unrequested, "message": "step"}});
        self.unrequested += 1;
        Some(self.frame(Node::of(&progress)))
    }

    /// The frame of a message, changed or not.
    fn frame(&mut self, mut message: Node) -> Step {
        let is_changed = self.random.chance(self.script.structure);
        if is_changed {
            for _ in 0..1 + self.random.below(3) {
                broken::structure(&mut message, &mut self.random);
            }
        }
        let mut bytes = message.written().into_bytes();
        if is_changed && self.random.chance(25) {
            broken::bytes(&mut bytes, &mut self.random);
        }
        Step::Frame(bytes)
    }

    /// A valid answer, from the schema of its result.
    fn answer(&mut self, method: &str, message: &Value) -> Node {
        let revision = self.script.revision;
        let modern = self.script.is_modern();
        if (method == "initialize") == modern
            || (method == "server/discover") != modern && method == "server/discover"
        {
            return refusal(-32601, "Method not found");
        }
        let name = match method {
            "initialize" => "InitializeResult",
            "server/discover" => "DiscoverResult",
            "tools/list" => "ListToolsResult",
            "tools/call" if modern && self.random.chance(self.script.order / 2) => "InputRequiredResult",
            "tools/call" => "CallToolResult",
            "resources/list" => "ListResourcesResult",
            "resources/templates/list" => "ListResourceTemplatesResult",
            "resources/read" => "ReadResourceResult",
            "prompts/list" => "ListPromptsResult",
            "prompts/get" => "GetPromptResult",
            "completion/complete" => "CompleteResult",
            "tasks/list" => "ListTasksResult",
            "tasks/get" => "GetTaskResult",
            "ping" | "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe" => "EmptyResult",
            _ => "",
        };
        if !self.schemas.has(revision, name) || modern && name == "EmptyResult" {
            return refusal(-32601, "Method not found");
        }
        let mut result = self.schemas.make(revision, name, &mut self.random);
        self.mend(method, message, &mut result);
        Node::Map(vec![("\"result\"".to_owned(), result)])
    }

    /// What a schema does not say about a valid result.
    fn mend(&mut self, method: &str, message: &Value, result: &mut Node) {
        let version = Node::text(self.script.revision);
        match method {
            "initialize" => {
                let asked = message["params"]["protocolVersion"].as_str();
                let known = asked.is_some_and(|asked| asked == self.script.revision);
                result.set(
                    "protocolVersion",
                    if known {
                        Node::text(asked.unwrap_or_default())
                    } else {
                        version
                    },
                );
            }
            "server/discover" => result.set("supportedVersions", Node::List(vec![version])),
            // A cursor would be followed for ever.
            _ if !self.random.chance(self.script.structure) => result.remove("nextCursor"),
            _ => {}
        }
        if self.script.is_modern() && result.member("inputRequests").is_none() {
            result.set("resultType", Node::text("complete"));
        }
        if matches!(method, "initialize" | "server/discover") {
            let all = json!({"tools": {}, "resources": {"subscribe": true}, "prompts": {}, "logging": {}, "completions": {}});
            result.set("capabilities", Node::of(&all));
        }
        // Names are unique, and results of tools have no structure that was not announced.
        result.remove("structuredContent");
        for list in ["tools", "prompts", "resources", "resourceTemplates"] {
            let Some(Node::List(items)) = result.member(list) else {
                continue;
            };
            for (number, item) in items.iter_mut().enumerate() {
                item.set("name", Node::text(&format!("name-{number}")));
                item.remove("outputSchema");
                if item.member("inputSchema").is_some() {
                    item.set("inputSchema", Node::of(&json!({"type": "object"})));
                }
            }
        }
    }
}

fn refusal(code: i64, message: &str) -> Node {
    Node::Map(vec![(
        "\"error\"".to_owned(),
        Node::of(&json!({"code": code, "message": message})),
    )])
}

/// The answer of a server that does everything right.
pub(crate) fn fair(revision: &str, message: &Value) -> Option<Vec<u8>> {
    let id = message.get("id")?;
    let method = message["method"].as_str()?;
    let modern = revision == super::REVISIONS[4];
    let capabilities = json!({"tools": {}});
    let info = json!({"name": "fair", "version": "1"});
    let mut result = match method {
        "initialize" if !modern => {
            json!({"protocolVersion": revision, "capabilities": capabilities, "serverInfo": info})
        }
        "server/discover" if modern => {
            json!({"supportedVersions": [revision], "capabilities": capabilities, "serverInfo": info, "ttlMs": 0, "cacheScope": "private"})
        }
        "tools/list" => json!({"tools": [{"name": "name-0", "inputSchema": {"type": "object"}}]}),
        "tools/call" => json!({"content": [{"type": "text", "text": "fair"}]}),
        "ping" if !modern => json!({}),
        _ => {
            let error =
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "Method not found"}});
            return Some(error.to_string().into_bytes());
        }
    };
    if modern {
        result["resultType"] = json!("complete");
        if method == "tools/list" {
            result["ttlMs"] = json!(0);
            result["cacheScope"] = json!("private");
        }
    }
    Some(
        json!({"jsonrpc": "2.0", "id": id, "result": result})
            .to_string()
            .into_bytes(),
    )
}
