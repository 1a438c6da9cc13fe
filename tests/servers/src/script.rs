//! The handshake of the server, and its lists.

use std::{
    io::Write as _,
    process::{Command, ExitCode, Stdio},
};

use crate::{
    tools,
    wire::{Incoming, Wire},
};

/// A behavior of the server.
pub(crate) struct Script {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    initialize: Answer,
    discover: Answer,
    list: List,
}

/// The response to a request of a handshake.
#[derive(Clone, Copy)]
enum Answer {
    /// Serves it. A legacy server responds with the requested version, or with the script's argument.
    Serve,
    /// -32601.
    NotFound,
    /// -32602, as some SDKs do.
    InvalidParams,
    /// -32022 with the script's argument, or a modern version, as the supported versions.
    Unsupported,
    /// An unknown version.
    OtherVersion,
    /// No response.
    Silence,
    /// Exits with code 3.
    Exit,
}

/// The content of `tools/list`.
#[derive(Clone, Copy)]
enum List {
    /// The tools of this program.
    Own,
    /// Fifty, of which one is not an object, one has no name and one no schema.
    FiftyWithBad,
    /// As many as the argument, or a thousand.
    Many,
    /// Three pages of two.
    Pages,
    /// The same cursor for ever.
    CursorLoop,
}

use Answer::{Exit, InvalidParams, NotFound, OtherVersion, Serve, Silence, Unsupported};

const fn script(
    name: &'static str,
    initialize: Answer,
    discover: Answer,
    list: List,
    what: &'static str,
) -> Script {
    Script {
        name,
        what,
        initialize,
        discover,
        list,
    }
}

/// All scripts.
pub(crate) const SCRIPTS: &[Script] = &[
    script(
        "legacy",
        Serve,
        NotFound,
        List::Own,
        "initialize only; ARG: the only supported version",
    ),
    script(
        "legacy-32602",
        Serve,
        InvalidParams,
        List::Own,
        "responds with -32602 to unknown methods",
    ),
    script("modern", Unsupported, Serve, List::Own, "2026-07-28 only"),
    script(
        "modern-other",
        Serve,
        Unsupported,
        List::Own,
        "-32022 to discover; ARG: the supported versions",
    ),
    script("dual", Serve, Serve, List::Own, "both eras"),
    script(
        "unknown-version",
        OtherVersion,
        NotFound,
        List::Own,
        "responds to initialize with 1999-01-01",
    ),
    script(
        "unknown-modern",
        NotFound,
        OtherVersion,
        List::Own,
        "discovers 2099-01-01 only",
    ),
    script(
        "strict",
        Serve,
        Exit,
        List::Own,
        "exits on any request before initialize",
    ),
    script(
        "spoiled",
        Serve,
        NotFound,
        List::Own,
        "refuses initialize after any other request",
    ),
    script(
        "mute-discover",
        Serve,
        Silence,
        List::Own,
        "never responds to server/discover",
    ),
    script("mute", Silence, Silence, List::Own, "never responds"),
    script(
        "chatter",
        Silence,
        Silence,
        List::Own,
        "never responds, but logs to stdout",
    ),
    script(
        "refuses",
        InvalidParams,
        NotFound,
        List::Own,
        "responds to initialize with an error",
    ),
    script(
        "fifty",
        Serve,
        NotFound,
        List::FiftyWithBad,
        "fifty tools, three of them malformed",
    ),
    script(
        "many",
        Serve,
        NotFound,
        List::Many,
        "a thousand tools; ARG: another number",
    ),
    script("pages", Serve, NotFound, List::Pages, "three pages of tools"),
    script(
        "cursor-loop",
        Serve,
        NotFound,
        List::CursorLoop,
        "a next cursor for ever",
    ),
    script(
        "refuses-list",
        Serve,
        NotFound,
        List::Own,
        "refuses to list its tools",
    ),
    script(
        "exit",
        Serve,
        Serve,
        List::Own,
        "writes ARG to stderr and exits at once with code 7",
    ),
    script("stray", Serve, NotFound, List::Own, "prints text before JSON"),
    script(
        "deaf",
        Serve,
        Silence,
        List::Own,
        "reads nothing after initialize",
    ),
    script(
        "stubborn",
        Serve,
        Serve,
        List::Own,
        "ignores the end of stdin and SIGTERM; so does its child",
    ),
    script(
        "orphan",
        Serve,
        Serve,
        List::Own,
        "exits when stdin ends, but its child keeps stdout open",
    ),
    script(
        "closes-stdout",
        Serve,
        NotFound,
        List::Own,
        "closes stdout after initialize and keeps running",
    ),
];

/// Runs it until stdin ends.
pub(crate) fn run(script: &Script, arg: Option<&str>, wire: &mut Wire) -> ExitCode {
    match script.name {
        "exit" => {
            eprintln!("{}", arg.unwrap_or("cannot start: no configuration"));
            return ExitCode::from(7);
        }
        "chatter" => wire.line("Server starting up...\n{\"level\":30,\"msg\":\"listening\"}"),
        "stray" => wire.line("Server starting on stdio...\n[info] ready"),
        "stubborn" => {
            ignore_sigterm();
            start_child();
        }
        "orphan" => start_child(),
        _ => {}
    }
    let mut session = Session {
        script,
        arg,
        requests: 0,
    };
    while let Some(incoming) = wire.next() {
        if incoming.id.is_some() && !incoming.method.is_empty() {
            session.request(&incoming, wire);
            session.requests += 1;
        }
    }
    if script.name == "stubborn" {
        park();
    }
    ExitCode::SUCCESS
}

struct Session<'a> {
    script: &'a Script,
    arg: Option<&'a str>,
    /// Those before the one that is answered.
    requests: u32,
}

impl Session<'_> {
    fn request(&mut self, incoming: &Incoming, wire: &mut Wire) {
        let id = incoming.id();
        match incoming.method.as_str() {
            "initialize" if self.script.name == "spoiled" && self.requests > 0 => {
                wire.error(&id, -32600, "The first request was not initialize", None);
            }
            "initialize" => self.handshake(self.script.initialize, incoming, wire),
            "server/discover" => self.handshake(self.script.discover, incoming, wire),
            "ping" => wire.result(&id, "{}"),
            "tools/list" if self.script.name == "refuses-list" => {
                wire.error(&id, -32603, "The list is broken", None);
            }
            "tools/list" => {
                let result = self.tools(&incoming.params["cursor"]);
                wire.result(&id, &self.complete(incoming, &result));
            }
            "tools/call" => tools::call(incoming, wire),
            _ => wire.error(&id, -32601, "Method not found", None),
        }
    }

    fn handshake(&mut self, answer: Answer, incoming: &Incoming, wire: &mut Wire) {
        let id = incoming.id();
        let legacy = incoming.method == "initialize";
        match answer {
            Answer::Serve | Answer::OtherVersion if legacy => {
                let asked = incoming.params["protocolVersion"]
                    .as_str()
                    .unwrap_or("2025-11-25")
                    .to_owned();
                let version = match answer {
                    Answer::OtherVersion => "1999-01-01",
                    _ => self.arg.filter(|arg| arg.starts_with("20")).unwrap_or(&asked),
                };
                wire.result(&id, &format!(
                    r#"{{"protocolVersion":"{version}","capabilities":{{"tools":{{"listChanged":true}},"logging":{{}}}},"serverInfo":{{"name":"scripted","version":"1.0"}},"instructions":"Be kind."}}"#
                ));
                if matches!(self.script.name, "deaf" | "closes-stdout") {
                    self.settle(wire);
                }
            }
            Answer::Serve | Answer::OtherVersion => {
                let version = if matches!(answer, Answer::Serve) {
                    "2026-07-28"
                } else {
                    "2099-01-01"
                };
                wire.result(&id, &format!(
                    r#"{{"resultType":"complete","supportedVersions":["{version}"],"capabilities":{{"tools":{{}},"logging":{{}}}},"instructions":"Be kind.","ttlMs":0,"cacheScope":"private","_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"scripted","version":"1.0"}}}}}}"#
                ));
            }
            Answer::NotFound => wire.error(&id, -32601, "Method not found", None),
            Answer::InvalidParams => wire.error(&id, -32602, "Invalid request parameters", Some(r#""""#)),
            Answer::Unsupported => {
                let list = self.arg.unwrap_or("2026-07-28").replace(',', r#"",""#);
                let data = format!(r#"{{"supported":["{list}"],"requested":"?"}}"#);
                wire.error(&id, -32022, "Unsupported protocol version", Some(&data));
            }
            Answer::Silence => {}
            Answer::Exit => {
                eprintln!("Error: expected initialize, got {}", incoming.method);
                std::process::exit(3);
            }
        }
    }

    /// The initialized notification is the last message that the `deaf` script reads.
    fn settle(&self, wire: &mut Wire) {
        let _ = wire.next();
        if self.script.name == "closes-stdout" {
            // Stdout belongs to this process's descriptor table: a shell that replaces this process closes it.
            exec("exec 1>&-; while :; do sleep 1; done");
        }
        park();
    }

    fn tools(&self, cursor: &serde_json::Value) -> String {
        const SCHEMA: &str = r#""inputSchema":{"type":"object"}"#;
        let numbered =
            |n: usize| format!(r#"{{"name":"tool-{n}","description":"Tool number {n}",{SCHEMA}}}"#);
        let list = |tools: Vec<String>| format!(r#"{{"tools":[{}]}}"#, tools.join(","));
        let page = |tools: Vec<String>, next: &str| {
            format!(r#"{{"tools":[{}],"nextCursor":"{next}"}}"#, tools.join(","))
        };
        match self.script.list {
            List::Own => list(
                tools::TOOLS
                    .iter()
                    .map(|tool| {
                        format!(
                            r#"{{"name":"{}","description":"{}",{SCHEMA}}}"#,
                            tool.name, tool.what
                        )
                    })
                    .collect(),
            ),
            List::FiftyWithBad => list(
                (0..50)
                    .map(|n| match n {
                        10 => r#""just a string""#.to_owned(),
                        20 => format!(r#"{{"description":"nameless",{SCHEMA}}}"#),
                        30 => r#"{"name":"no-schema","description":"has none"}"#.to_owned(),
                        n => numbered(n),
                    })
                    .collect(),
            ),
            List::Many => {
                let count = self.arg.and_then(|arg| arg.parse().ok()).unwrap_or(1_000);
                list((0..count).map(numbered).collect())
            }
            List::Pages => match cursor.as_str() {
                None => page(vec![numbered(0), numbered(1)], "page 2"),
                Some("page 2") => page(vec![numbered(2), numbered(3)], "page 3"),
                Some(_) => list(vec![numbered(4), numbered(5)]),
            },
            List::CursorLoop => page(vec![numbered(0)], "again"),
        }
    }

    /// A result in the form of the request's era.
    fn complete(&self, incoming: &Incoming, result: &str) -> String {
        if incoming.is_modern() {
            result.replacen(
                '{',
                r#"{"resultType":"complete","ttlMs":0,"cacheScope":"private","#,
                1,
            )
        } else {
            result.to_owned()
        }
    }
}

/// Ignores SIGTERM from now on.
fn ignore_sigterm() {
    #[cfg(unix)]
    if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() {
        runtime.block_on(async {
            let terminate = tokio::signal::unix::SignalKind::terminate();
            // Once installed, the handler stays.
            let _ = tokio::signal::unix::signal(terminate);
        });
    }
}

/// A child that ignores SIGTERM and holds stdout and stderr.
fn start_child() {
    let child = Command::new("sh")
        .args(["-c", "trap '' TERM; while :; do sleep 1; done"])
        .stdin(Stdio::null())
        .spawn();
    if let Ok(child) = child {
        eprintln!("child {}", child.id());
        let _ = std::io::stderr().flush();
    }
}

fn exec(script: &str) {
    #[cfg(unix)]
    let _ = std::os::unix::process::CommandExt::exec(Command::new("sh").args(["-c", script]));
    #[cfg(not(unix))]
    let _ = script;
}

/// Blocks for ever.
fn park() -> ! {
    loop {
        std::thread::park();
    }
}
