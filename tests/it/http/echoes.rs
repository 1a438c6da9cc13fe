//! A server that sends every secret of its own settings back, in every way it can think of. Nothing of them may be in a file
//! or in what the commands return.

mod encodings;

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    sync::{Arc, OnceLock},
};

use aho_corasick::AhoCorasick;
use patchbay_contract::{EnvVar, EraChoice, HttpHeader, TransportDraft};
use patchbay_engine::{SecretsChoice, StoreChoice};
use serde_json::{Value, json};

use crate::{client::run_test, harness::Harness};
use encodings::{ENCODINGS, Random, before, brotli, gzip, zlib, zstd};

/// How many secrets are in the headers of the HTTP server; the others are variables of a program.
const IN_HEADERS: usize = 160;
const IN_VARIABLES: usize = 40;
/// Of how many secrets one is sent in every encoding at once.
const ONE_OF: usize = 7;
/// How the secrets come back besides the encodings of a text.
const TRICKS: [&str; 11] = [
    "chunked", "gzip", "deflate", "br", "UTF-16", "zstd", "twice", "reason", "field", "folded", "events",
];
/// How they come back in all encodings at once.
const AT_ONCE: [&str; 7] = [
    "all, chunked",
    "all, gzip",
    "all, deflate",
    "all, br",
    "all, zstd",
    "all, cut off",
    "all, as events",
];

/// What must not be found: parts of everything that the server sent.
struct Needles {
    /// What was sent, and its parts.
    names: Vec<String>,
    parts: Vec<Vec<u8>>,
    /// Made of the parts when they are first looked for.
    finder: OnceLock<AhoCorasick>,
}

impl Needles {
    /// Without the last part, of which the log may show four characters.
    fn add(&mut self, what: &str, sent: &[u8]) {
        assert!(self.finder.get().is_none(), "it is searched already");
        self.names.push(what.to_owned());
        self.parts.push(sent[..sent.len() * 7 / 10].to_owned());
    }

    fn of(secrets: &[String]) -> Self {
        let mut needles = Self {
            names: Vec::new(),
            parts: Vec::new(),
            finder: OnceLock::new(),
        };
        for (number, secret) in secrets.iter().enumerate() {
            needles.add(&format!("secret {number}"), secret.as_bytes());
            for (name, encode) in ENCODINGS {
                let sent = encode(secret);
                let sent = &sent.as_bytes()[before(name)..];
                needles.add(&format!("secret {number} ({name})"), sent);
            }
            let wide: Vec<u8> = secret.encode_utf16().flat_map(u16::to_le_bytes).collect();
            needles.add(&format!("secret {number} (UTF-16)"), &wide);
        }
        needles
    }

    fn search(&self, place: &str, bytes: &[u8], found: &mut Vec<String>) {
        let finder = self.finder.get_or_init(|| AhoCorasick::new(&self.parts).unwrap());
        found.extend(finder.find_iter(bytes).map(|part| {
            let text = String::from_utf8_lossy(&bytes[part.range()]);
            format!("{place} has {}: {text}", self.names[part.pattern()])
        }));
    }

    /// Searches all files, whose permissions are checked too.
    fn search_folder(&self, folder: &Path, found: &mut Vec<String>) -> usize {
        let mut files = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
                let expected = if path.is_dir() { 0o700 } else { 0o600 };
                if mode != expected {
                    found.push(format!("{} has the mode {mode:o}", path.display()));
                }
            }
            if path.is_dir() {
                files += self.search_folder(&path, found);
            } else {
                files += 1;
                self.search(&path.display().to_string(), &fs::read(&path).unwrap(), found);
            }
        }
        files
    }

    /// Searches what the commands return: every row, every record, every body, an export. Returns the bodies.
    async fn search_commands(&self, harness: &Harness, found: &mut Vec<String>) -> Vec<Vec<u8>> {
        self.search("the export", harness.recording().await.as_bytes(), found);
        let rows = harness.all_rows().await;
        let mut bodies = Vec::new();
        for row in &rows {
            self.search("a row", row.to_string().as_bytes(), found);
            let record = harness.record(&row["seq"]).await;
            self.search("a record", record.to_string().as_bytes(), found);
            let id = format!("f:{}", row["seq"].as_str().unwrap());
            if let Ok(body) = harness.engine.body(&patchbay_contract::BodyId(id)).await {
                self.search(&format!("the body of {row}"), &body.bytes, found);
                bodies.push(body.bytes.to_vec());
            }
        }
        bodies
    }
}

/// The server: one thread for each connection, all end with the process of the test.
fn serve(secrets: Arc<Vec<String>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let secrets = secrets.clone();
            std::thread::spawn(move || talk(stream.unwrap(), &secrets));
        }
    });
    url
}

/// Answers the requests of one connection.
fn talk(stream: TcpStream, secrets: &[String]) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut writer = stream;
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).ok()? == 0 {
                return None;
            }
        }
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.parse().ok())?
        });
        let mut body = vec![0; length.unwrap_or(0)];
        reader.read_exact(&mut body).ok()?;
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        writer.write_all(&answer(&head, &message, secrets)).ok()?;
    }
}

fn plain(status: &str, kind: &str, body: &[u8]) -> Vec<u8> {
    with_fields(status, &format!("content-type: {kind}\r\n"), body)
}

fn with_fields(status: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let mut out = format!(
        "HTTP/1.1 {status}\r\n{fields}content-length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    out.extend_from_slice(body);
    out
}

fn answer(head: &str, message: &Value, secrets: &[String]) -> Vec<u8> {
    let method = message["method"].as_str().unwrap_or_default();
    let id = message["id"].to_string();
    let result = |result: &str| {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#);
        plain("200 OK", "application/json", text.as_bytes())
    };
    match method {
        "initialize" => result(&format!(
            r#"{{"protocolVersion":"2025-06-18","capabilities":{{"tools":{{}},"logging":{{}}}},"serverInfo":{{"name":{},"version":"1"}},"instructions":{}}}"#,
            json!(secrets[0]),
            json!(secrets.join(" "))
        )),
        "tools/list" => {
            let tools: Vec<Value> = secrets
                .iter()
                .map(|secret| json!({"name": secret, "description": secret, "inputSchema": {"type": "object"}}))
                .collect();
            result(&json!({ "tools": tools }).to_string())
        }
        "tools/call" => tool(message["params"]["name"].as_str().unwrap(), &id, secrets),
        _ if head.starts_with("POST") => plain("202 Accepted", "text/plain", b""),
        _ => plain(
            "405 Method Not Allowed",
            "text/plain",
            secrets.join("\n").as_bytes(),
        ),
    }
}

/// The secrets in one of the ways.
fn tool(way: &str, id: &str, secrets: &[String]) -> Vec<u8> {
    let (way, all) = match way.strip_prefix("all, ") {
        Some(way) => (way, in_every_encoding(secrets)),
        None => (way, secrets.join(" | ")),
    };
    let failed = |encoding: &str, body: &[u8]| {
        with_fields("500 Oops", &format!("content-encoding: {encoding}\r\n"), body)
    };
    match way {
        "chunked" => chunked(&all),
        "gzip" => failed("gzip", &gzip(all.as_bytes())),
        "deflate" => failed("deflate", &zlib(all.as_bytes())),
        "UTF-16" => {
            let wide: Vec<u8> = all.encode_utf16().flat_map(u16::to_le_bytes).collect();
            plain("500 Oops", "text/plain; charset=utf-16le", &wide)
        }
        "br" => failed("br", &brotli(all.as_bytes())),
        "zstd" => failed("zstd", &zstd(all.as_bytes())),
        "twice" => failed("gzip, gzip", &gzip(&gzip(all.as_bytes()))),
        "reason" => plain(&format!("500 {all}"), "text/plain", b""),
        "field" => with_fields("500 Oops", &format!("x-echo: {all}\r\n"), b""),
        "folded" => {
            let folded = secrets.join("\r\n ");
            with_fields("500 Oops", &format!("x-echo: {folded}\r\n"), b"")
        }
        // The connection ends within the last secret.
        "cut off" => {
            let mut cut = format!(
                "HTTP/1.1 500 Oops\r\ncontent-length: {}\r\n\r\n{all}",
                all.len() + 99
            );
            cut.truncate(cut.len() - 3);
            cut.into_bytes()
        }
        "as events" => {
            let events: String = all
                .lines()
                .map(|line| format!(": {line}\ndata: {line}\n\n"))
                .collect();
            plain("200 OK", "text/event-stream", events.as_bytes())
        }
        "events" => {
            let lines = |secret: &String| {
                format!(": {secret}\nevent: {secret}\nid: {secret}\n{secret}\ndata: {secret}\n\n")
            };
            let events: String = secrets.iter().map(lines).collect();
            plain("200 OK", "text/event-stream", events.as_bytes())
        }
        encoding => {
            let (_, encode) = ENCODINGS.iter().find(|(name, _)| *name == encoding).unwrap();
            let text: Vec<String> = secrets.iter().map(|secret| encode(secret)).collect();
            let text = text.join(" | ");
            // The escapes of JSON are sent as they are, others as a text.
            let text = match encoding.starts_with("JSON") {
                true => format!("\"{text}\""),
                false => json!(text).to_string(),
            };
            let result = format!(
                r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":{text}}}]}}}}"#
            );
            plain("200 OK", "application/json", result.as_bytes())
        }
    }
}

/// Some secrets of each kind in all encodings, so that a body is cut within each of them.
fn in_every_encoding(secrets: &[String]) -> String {
    let each = |secret: &String| {
        ENCODINGS
            .iter()
            .map(|(_, encode)| encode(secret))
            .collect::<Vec<_>>()
            .join(" | ")
    };
    let some = secrets.iter().step_by(ONE_OF);
    some.map(each).collect::<Vec<_>>().join(" | ")
}

/// A body whose chunks end anywhere.
fn chunked(text: &str) -> Vec<u8> {
    let mut random = Random(7);
    let mut out =
        b"HTTP/1.1 500 Oops\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(random.below(40).clamp(1, rest.len()));
        out.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        out.extend_from_slice(chunk);
        out.extend_from_slice(b"\r\n");
        rest = after;
    }
    out.extend_from_slice(b"0\r\n\r\n");
    out
}

#[test]
fn no_secret_that_an_http_server_encodes_is_stored_or_shown() {
    let ways: Vec<&str> = ENCODINGS.iter().map(|(name, _)| *name).collect();
    nothing_sent_back_is_stored_or_shown(&ways);
}

#[test]
fn no_secret_that_an_http_server_hides_in_its_answer_is_stored_or_shown() {
    nothing_sent_back_is_stored_or_shown(&TRICKS);
}

#[test]
fn no_secret_that_an_http_server_sends_in_every_encoding_at_once_is_stored_or_shown() {
    nothing_sent_back_is_stored_or_shown(&AT_ONCE);
}

fn nothing_sent_back_is_stored_or_shown(ways: &[&str]) {
    // What the test itself has to compute does not count against its limit.
    let mut random = Random(1);
    let secrets: Vec<String> = (0..IN_HEADERS).map(|number| random.secret(number)).collect();
    let needles = Needles::of(&secrets);
    let mut sent = Vec::new();
    needles.search("what it sends", in_every_encoding(&secrets).as_bytes(), &mut sent);
    assert!(
        sent.len() >= secrets.len() / ONE_OF * ENCODINGS.len(),
        "{}",
        sent.len()
    );
    let (harness, mut found) = run_test(async {
        let url = serve(Arc::new(secrets.clone()));
        let harness = Harness::keeping(
            StoreChoice::Persistent,
            SecretsChoice::Memory,
            |engine| engine.draft_of_url(&url),
            |draft| {
                draft.era = EraChoice::Legacy;
                let TransportDraft::Http { headers, .. } = &mut draft.transport else {
                    panic!("it has a URL")
                };
                headers.extend(secrets.iter().enumerate().map(|(number, secret)| HttpHeader {
                    name: format!("X-Ours-{number}"),
                    value: secret.clone(),
                    is_secret: true,
                }));
            },
        )
        .await;
        let mut found = Vec::new();
        harness.connect().await.unwrap();
        harness.list_tools().await;
        for way in ways {
            let events = harness.call_tool(way, "{}").rest().await;
            assert!(!events.is_empty(), "{way}");
        }
        let bodies = needles.search_commands(&harness, &mut found).await;
        assert!(bodies.len() > ways.len(), "{}", bodies.len());
        harness.engine.shutdown().await;
        (harness, found)
    });
    let files = needles.search_folder(harness.folder(), &mut found);
    assert!(
        files > 2 && found.is_empty(),
        "{} {:#?}",
        found.len(),
        &found[..found.len().min(9)]
    );
}

/// Variables may have several lines, which a program prints one by one, in parts, and in the middle of its frames.
#[cfg(unix)]
#[test]
fn no_secret_that_a_program_prints_is_stored_or_shown() {
    run_test(async {
        let mut random = Random(2);
        let secrets: Vec<String> = (0..IN_VARIABLES).map(|_| random.lines()).collect();
        let mut needles = Needles::of(&secrets);
        for (number, secret) in secrets.iter().enumerate() {
            // The first and the last line are the same in every key.
            for line in secret.lines().filter(|line| !line.starts_with("-----")) {
                needles.add(&format!("a line of secret {number}"), line.trim().as_bytes());
            }
        }
        // A line that is longer than what is recorded at once, with a secret where it is cut.
        let script = r#"
            env >&2
            head -c 262100 /dev/zero | tr '\0' x >&2
            for name in $(env | sed -n 's/^\(OURS_[0-9]*_TOKEN\)=.*/\1/p'); do
                eval "value=\$$name"
                printf '%s|' "$value" >&2
                printf '{"jsonrpc":"2.0","method":"m","params":{"a":"%s"}}\n' "$value"
            done
            printf '\nthe end\n' >&2
            exit 1
        "#;
        let harness = Harness::keeping(
            StoreChoice::Persistent,
            SecretsChoice::Memory,
            |engine| engine.draft_of_command("sh").unwrap(),
            |draft| {
                let TransportDraft::Stdio { args, env, .. } = &mut draft.transport else {
                    panic!("it is a program")
                };
                *args = vec!["-c".to_owned(), script.to_owned()];
                env.extend(secrets.iter().enumerate().map(|(number, secret)| EnvVar {
                    name: format!("OURS_{number}_TOKEN"),
                    value: secret.clone(),
                }));
            },
        )
        .await;
        harness.connect().await.unwrap_err();
        let mut found = Vec::new();
        let bodies = needles.search_commands(&harness, &mut found).await;
        let failure = harness.call("server_list", json!({})).await.to_string();
        needles.search("the failure", failure.as_bytes(), &mut found);
        harness.engine.shutdown().await;
        needles.search_folder(harness.folder(), &mut found);
        assert!(
            bodies.len() > IN_VARIABLES && found.is_empty(),
            "{} {} {:#?}",
            bodies.len(),
            found.len(),
            &found[..found.len().min(9)]
        );
    });
}
