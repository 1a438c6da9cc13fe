//! Servers over HTTP/1.1, written by hand so that everything can be wrong.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::{Host, Server, lock};
use crate::random::Random;
use crate::script::behaviour::{self, Step};

pub(super) async fn listen(host: Arc<Host>, listener: TcpListener) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(talk(host.clone(), stream));
    }
}

/// Requests of one connection, one after the other.
async fn talk(host: Arc<Host>, mut stream: TcpStream) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let (from, mut to) = stream.split();
    let mut from = BufReader::new(from);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if from.read_line(&mut head).await.ok()? == 0 {
                return None;
            }
        }
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.trim().parse().ok())?
        });
        let mut body = vec![0; length.unwrap_or(0)];
        from.read_exact(&mut body).await.ok()?;
        // `POST /KEY/mcp HTTP/1.1`
        let key = head.split('/').nth(1).unwrap_or_default();
        let server = host.find(key);
        let Some(server) = server else {
            to.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
                .await
                .ok()?;
            continue;
        };
        let verb = head.split(' ').next().unwrap_or_default();
        if verb == "POST" {
            lock(&server.crossed).posted.push(body.clone());
        }
        let part = server.parts.fetch_add(1, Ordering::SeqCst);
        let mut carriage = Carriage {
            random: server.script.random(1000 + part),
            server: &server,
        };
        let message = serde_json::from_slice(&body).unwrap_or_default();
        for piece in carriage.respond(verb, &message) {
            match piece {
                Piece::Bytes(bytes) => to.write_all(&bytes).await.ok()?,
                Piece::Pause(time) => tokio::time::sleep(Duration::from_millis(time)).await,
                Piece::Hang => {
                    // Until the client goes.
                    let _ = from.read(&mut [0]).await;
                    return None;
                }
                Piece::End => return None,
            }
        }
    }
}

enum Piece {
    Bytes(Vec<u8>),
    Pause(u64),
    Hang,
    End,
}

/// How a response is carried.
struct Carriage<'a> {
    random: Random,
    server: &'a Server,
}

impl Carriage<'_> {
    fn respond(&mut self, verb: &str, message: &Value) -> Vec<Piece> {
        if self.server.is_fair() {
            return vec![Piece::Bytes(self.fair(verb, message))];
        }
        let odd = self.random.chance(self.server.script.carriage);
        match verb {
            "POST" => {}
            "GET" if odd || self.random.chance(50) => return self.stream_of_get(odd),
            "GET" => return vec![Piece::Bytes(whole("405 Method Not Allowed", "", b""))],
            _ => return vec![Piece::Bytes(whole("200 OK", "", b""))],
        }
        let steps = lock(&self.server.shared).receive(message);
        if message.get("id").is_none() || message.get("method").is_none() {
            // What is sent unrequested has no place here.
            let status = match odd {
                true => self.random.pick(&[
                    "500 Oops",
                    "404 Not Found",
                    "204 No Content",
                    "400 Bad Request",
                    "200 OK",
                ]),
                false => "202 Accepted",
            };
            return vec![Piece::Bytes(whole(status, "", b""))];
        }
        let frames = steps.iter().filter(|step| matches!(step, Step::Frame(_))).count();
        let one = frames == 1 && !steps.iter().any(|step| matches!(step, Step::Pause(_)));
        let mut pieces = match one && self.random.chance(50) {
            true => self.json(&steps),
            false if frames == 0 => vec![Piece::Hang],
            false => self.events(&steps, odd),
        };
        if odd {
            self.spoil(&mut pieces);
        }
        pieces
    }

    fn fair(&self, verb: &str, message: &Value) -> Vec<u8> {
        let answer = behaviour::fair(self.server.script.revision, message);
        match (verb, answer) {
            ("POST", Some(answer)) => {
                lock(&self.server.crossed).offered.insert(answer.clone());
                whole("200 OK", "content-type: application/json\r\n", &answer)
            }
            ("POST", None) => whole("202 Accepted", "", b""),
            ("GET", _) => whole("405 Method Not Allowed", "", b""),
            _ => whole("200 OK", "", b""),
        }
    }

    fn offer(&self, frame: Vec<u8>) {
        lock(&self.server.crossed).offered.insert(frame);
    }

    /// One message as JSON.
    fn json(&mut self, steps: &[Step]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for step in steps {
            match step {
                Step::Frame(bytes) => {
                    self.offer(bytes.clone());
                    pieces.push(Piece::Bytes(whole(
                        "200 OK",
                        "content-type: application/json\r\n",
                        bytes,
                    )));
                }
                Step::End => pieces.push(Piece::End),
                Step::Pause(time) => pieces.push(Piece::Pause(*time)),
                Step::Stderr(_) => {}
            }
        }
        pieces
    }

    /// Messages as events.
    fn events(&mut self, steps: &[Step], odd: bool) -> Vec<Piece> {
        let mut pieces = vec![Piece::Bytes(STREAM.to_vec())];
        let mut ended = false;
        for step in steps {
            match step {
                Step::Frame(bytes) => pieces.push(Piece::Bytes(chunk(&self.event(bytes, odd)))),
                Step::Pause(time) => pieces.push(Piece::Pause(*time)),
                Step::Stderr(bytes) => pieces.push(Piece::Bytes(chunk(&comment(bytes)))),
                Step::End => {
                    pieces.push(Piece::End);
                    ended = true;
                }
            }
        }
        if !ended {
            pieces.push(Piece::Bytes(b"0\r\n\r\n".to_vec()));
        }
        pieces
    }

    /// An event with a message as its data. A line break within it makes several lines of data.
    fn event(&mut self, frame: &[u8], odd: bool) -> Vec<u8> {
        let lines: Vec<&[u8]> = lines(frame);
        self.offer(lines.join(&b'\n'));
        let end: &[u8] = if odd {
            self.random.pick(&[&b"\n"[..], b"\r\n", b"\r"])
        } else {
            b"\n"
        };
        let mut event = Vec::new();
        if odd {
            let extra = self.random.pick(&[
                &b": a comment"[..],
                b"event: message",
                b"id: 1",
                b"id: \0",
                b"retry: 0",
                b"retry: 99999999999999999999",
                b"unknown: field",
                b"data",
            ]);
            // An empty line of data is a part of the data.
            if extra != b"data" {
                event.extend([extra, end].concat());
            }
        }
        for line in lines {
            event.extend([&b"data: "[..], line, end].concat());
        }
        event.extend(end);
        event
    }

    fn stream_of_get(&mut self, odd: bool) -> Vec<Piece> {
        let mut pieces = vec![Piece::Bytes(STREAM.to_vec())];
        if odd {
            let steps = lock(&self.server.shared).receive(&Value::Null);
            for step in steps {
                if let Step::Frame(bytes) = step {
                    pieces.push(Piece::Bytes(chunk(&self.event(&bytes, true))));
                }
            }
            if self.random.chance(50) {
                pieces.push(Piece::End);
            }
        }
        pieces.push(Piece::Hang);
        pieces
    }

    /// Makes a response wrong, or at least unusual.
    fn spoil(&mut self, pieces: &mut Vec<Piece>) {
        let Some(Piece::Bytes(first)) = pieces.first_mut() else {
            return;
        };
        let at = first.windows(4).position(|part| part == b"\r\n\r\n").unwrap_or(0);
        let status = first.windows(2).position(|part| part == b"\r\n").unwrap_or(0);
        match self.random.below(14) {
            // In pieces.
            0 | 1 => {
                let all = std::mem::take(first);
                let most = 1 + all.len() / 6;
                let mut rest = &*all;
                let mut cut = Vec::new();
                while !rest.is_empty() {
                    let (piece, after) = rest.split_at(1 + self.random.below(most.min(rest.len())));
                    cut.push(Piece::Bytes(piece.to_vec()));
                    cut.push(Piece::Pause(self.random.below(4) as u64));
                    rest = after;
                }
                pieces.splice(0..1, cut).for_each(drop);
            }
            // Cut off.
            2 | 3 => {
                let end = self.random.below(first.len());
                first.truncate(end);
                pieces.truncate(1);
                pieces.push(Piece::End);
            }
            4 => {
                let code = self.random.pick(&[
                    "500 Oops", "400 Bad", "404 Gone", "429 Slow", "503 Busy", "401 No", "403 No", "307 Go",
                    "204 None", "999 ?",
                ]);
                first.splice(9..status, code.bytes()).for_each(drop);
            }
            5..=7 => {
                let field = self.random.pick(&[
                    "retry-after: 18446744073709551615",
                    "content-encoding: gzip",
                    "content-encoding: br, zstd, deflate, gzip",
                    "content-type: text/html; charset=utf-16",
                    "location: /elsewhere",
                    "content-length: 3",
                    "transfer-encoding: chunked",
                    "www-authenticate: Bearer resource_metadata=\"http://127.0.0.1:1/\", scope=\"a b c\"",
                    "mcp-session-id: \u{7f}",
                    "mcp-session-id: changed",
                    "connection: close",
                    " folded: line",
                    "no colon",
                ]);
                first
                    .splice(at..at, format!("\r\n{field}").bytes())
                    .for_each(drop);
            }
            8 => {
                let large = "x".repeat(self.random.size(1 << 18));
                first
                    .splice(at..at, format!("\r\nx-large: {large}").bytes())
                    .for_each(drop);
            }
            9 => {
                let many = "\r\nx-many: 1".repeat(self.random.size(4000));
                first.splice(at..at, many.bytes()).for_each(drop);
            }
            10 => first
                .splice(0..0, *b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n")
                .for_each(drop),
            11 => first.splice(0..0, *b"\x16\x03\x01\x02").for_each(drop),
            12 => pieces.push(Piece::Bytes(b"and more that nobody asked for".to_vec())),
            _ => {
                *pieces = vec![if self.random.chance(50) {
                    Piece::Hang
                } else {
                    Piece::End
                }]
            }
        }
    }
}

const STREAM: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

fn whole(status: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let mut out = format!(
        "HTTP/1.1 {status}\r\n{fields}content-length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    out.extend(body);
    out
}

fn chunk(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

fn comment(bytes: &[u8]) -> Vec<u8> {
    lines(bytes)
        .iter()
        .flat_map(|line| [b": ", *line, b"\n"].concat())
        .collect()
}

/// The lines as an event stream has them: CR, LF and CRLF end one.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
        lines.push(&rest[..at]);
        let after = if rest[at..].starts_with(b"\r\n") {
            at + 2
        } else {
            at + 1
        };
        rest = &rest[after..];
    }
    lines.push(rest);
    lines
}
