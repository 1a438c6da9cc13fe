//! A page of `patchbay serve`, without a browser.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{PASSPHRASE, Patchbay, SECRET};

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);

/// A running `patchbay serve`, and the WebSocket of its page.
pub(in crate::programs) struct Served {
    pub(in crate::programs) child: Child,
    socket: BufReader<TcpStream>,
    id: u64,
}

impl Drop for Served {
    fn drop(&mut self) {
        // Ended already, unless the test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    /// Starts it and opens its link.
    pub(super) fn start(patchbay: &Patchbay) -> Self {
        Self::start_as(patchbay, |_| {})
    }

    /// The same; its command is changed before.
    pub(in crate::programs) fn start_as(patchbay: &Patchbay, change: impl FnOnce(&mut Command)) -> Self {
        let mut command = patchbay.command(&["serve", "--data-dir", "files"]);
        change(&mut command);
        let mut child = command
            // No keychain and no browser, no matter whose machine this is.
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
            .env("BROWSER", "true")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let (host, token) = line
            .trim()
            .strip_prefix("http://")
            .and_then(|rest| rest.split_once("/#token="))
            .unwrap_or_else(|| panic!("it printed {line:?}"));
        let body = format!("{{\"token\":\"{token}\"}}");
        let (head, mut stream) = request(
            host,
            &format!("POST /session HTTP/1.1\r\nContent-Length: {}\r\n", body.len()),
            &body,
        );
        let cookie = between(&head, "set-cookie: ", ";");
        let mut answer = String::new();
        // To the end of the JSON; the connection stays open.
        while !answer.ends_with('}') {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            answer.push(char::from(byte[0]));
        }
        let page = between(&answer, "{\"page\":\"", "\"");
        let upgrade = format!(
            "GET /ws HTTP/1.1\r\nCookie: {cookie}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        );
        let (head, socket) = request(host, &upgrade, "");
        assert!(head.starts_with("http/1.1 101"), "{head}");
        let mut served = Self { child, socket, id: 0 };
        served.write(&format!("{{\"page\":\"{page}\"}}"));
        served
    }

    /// Sends a text. The mask of a client may be zero.
    fn write(&mut self, text: &str) {
        let length = u16::try_from(text.len()).unwrap();
        let mut frame = vec![0x81, 0x80 | 126];
        frame.extend_from_slice(&length.to_be_bytes());
        frame.extend_from_slice(&[0; 4]);
        frame.extend_from_slice(text.as_bytes());
        self.socket.get_mut().write_all(&frame).unwrap();
    }

    /// The next text.
    fn read(&mut self) -> String {
        loop {
            let mut head = [0; 2];
            self.socket.read_exact(&mut head).unwrap();
            let mut length = u64::from(head[1] & 0x7f);
            if length >= 126 {
                let mut bytes = [0; 8];
                let from = if length == 126 { 6 } else { 0 };
                self.socket.read_exact(&mut bytes[from..]).unwrap();
                length = u64::from_be_bytes(bytes);
            }
            let mut payload = vec![0; usize::try_from(length).unwrap()];
            self.socket.read_exact(&mut payload).unwrap();
            if head[0] & 0x0f == 1 {
                return String::from_utf8(payload).unwrap();
            }
        }
    }

    /// Sends a call without waiting for its result.
    pub(super) fn send(&mut self, name: &str, params: &str) {
        self.id += 1;
        self.write(&format!(
            "{{\"id\":{},\"call\":\"{name}\",\"params\":{params}}}",
            self.id
        ));
    }

    /// Calls a command: `ok` or `error`.
    pub(in crate::programs) fn call(&mut self, name: &str, params: &str) -> Value {
        self.send(name, params);
        loop {
            let answer: Value = serde_json::from_str(&self.read()).unwrap();
            if answer["id"] == self.id {
                return answer;
            }
        }
    }

    pub(super) fn passphrase() -> String {
        format!("{{\"choice\":{{\"type\":\"passphrase\",\"text\":\"{PASSPHRASE}\"}}}}")
    }

    pub(super) fn choose_vault(&mut self) {
        let chosen = self.call("vault_choose", &Self::passphrase());
        assert!(chosen.get("ok").is_some(), "{chosen}");
    }

    /// The draft of a server with a secret, from its command line `sh -c "…"`.
    pub(super) fn draft(server: &str) -> String {
        let script = server
            .strip_prefix("sh -c \"")
            .and_then(|rest| rest.strip_suffix('"'));
        let draft = serde_json::json!({"draft": {
            "name": "server",
            "transport": {
                "type": "stdio", "command": "sh", "args": ["-c", script.unwrap()],
                "env": [{"name": "OURS_TOKEN", "value": SECRET}], "cwd": null,
            },
            "era": "legacy",
            "timeouts": {"requestMs": 30_000, "maxTotalMs": 30_000, "resetOnProgress": true},
        }});
        draft.to_string()
    }

    pub(super) fn add_server(&mut self, server: &str) -> String {
        let added = self.call("server_add", &Self::draft(server));
        let id = added["ok"]["serverId"].as_str();
        id.unwrap_or_else(|| panic!("{added}")).to_owned()
    }

    /// The id of the server, if there is one.
    pub(super) fn server(&mut self) -> Option<String> {
        let list = self.call("server_list", "{}");
        Some(list["ok"]["items"].get(0)?["id"].as_str()?.to_owned())
    }

    pub(in crate::programs) fn wait_until_ready(&mut self) {
        let begun = Instant::now();
        loop {
            let list = self.call("server_list", "{}");
            if list["ok"]["items"][0]["connection"]["state"] == "ready" {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{list}");
            std::thread::yield_now();
        }
    }

    /// Starts a call of the tool.
    pub(super) fn open_call(&mut self, server: &str) {
        self.id += 1;
        self.write(&format!(
            "{{\"id\":{},\"open\":\"tool_call\",\"params\":{{\"serverId\":\"{server}\",\"name\":\"echo\",\"argumentsJson\":\"{{}}\",\
             \"metaJson\":null,\"timeouts\":null}}}}",
            self.id
        ));
    }

    /// All that a call of the tool says.
    pub(in crate::programs) fn call_tool(&mut self, server: &str) -> String {
        self.open_call(server);
        let mut said = String::new();
        loop {
            let text = self.read();
            said += &text;
            let frame: Value = serde_json::from_str(&text).unwrap();
            if frame["id"] == self.id && (frame.get("end").is_some() || frame.get("error").is_some()) {
                return said;
            }
        }
    }
}

/// Sends a request as a page of this address does. Returns the head of the response, in lower case but for values.
fn request(host: &str, head: &str, body: &str) -> (String, BufReader<TcpStream>) {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(
        stream,
        "{head}Host: {host}\r\nOrigin: http://{host}\r\n\r\n{body}"
    )
    .unwrap();
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0, "{head}");
    }
    (head.replacen("HTTP", "http", 1), reader)
}

fn between(text: &str, before: &str, after: &str) -> String {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("{text}")).1;
    rest.split_once(after).unwrap().0.to_owned()
}
