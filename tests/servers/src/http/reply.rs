//! Responses, byte for byte.

use std::{
    io::{Read as _, Write as _},
    net::{Shutdown, TcpStream},
    time::Duration,
};

/// A complete response: status, header lines (each with its end), body.
#[derive(Debug, Clone)]
pub struct Whole(pub u16, pub String, pub String);

impl Whole {
    /// A JSON response.
    #[must_use]
    pub fn json(status: u16, body: &serde_json::Value) -> Self {
        Self(
            status,
            "content-type: application/json\r\n".to_owned(),
            body.to_string(),
        )
    }

    /// A web page.
    #[must_use]
    pub fn html() -> Self {
        Self(
            200,
            "content-type: text/html\r\n".to_owned(),
            "<html>hello</html>".to_owned(),
        )
    }

    /// A 302 redirect.
    #[must_use]
    pub fn redirect(to: &str) -> Self {
        Self(302, format!("location: {to}\r\n"), String::new())
    }

    /// A response without headers or body.
    #[must_use]
    pub fn empty(status: u16) -> Self {
        Self(status, String::new(), String::new())
    }
}

/// The response side of one connection.
pub(crate) struct Reply {
    stream: TcpStream,
    over: bool,
}

impl Reply {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream, over: false }
    }

    /// Whether the connection is finished.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Closes the connection immediately, even within a response.
    pub(crate) fn cut(&mut self) {
        self.over = true;
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    /// Sends raw bytes. Returns false if the client has closed.
    pub(crate) fn raw(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        let written = self
            .stream
            .write_all(bytes.as_ref())
            .and_then(|()| self.stream.flush());
        self.over |= written.is_err();
        written.is_ok()
    }

    /// Sends a head; `headers` are whole lines, each with its end.
    pub(crate) fn head(&mut self, status: u16, headers: &str) -> bool {
        let reason = match status {
            200 => "OK",
            201 => "Created",
            202 => "Accepted",
            302 => "Found",
            307 => "Temporary Redirect",
            400 => "Bad Request",
            401 => "Unauthorized",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            429 => "Too Many Requests",
            500 => "Internal Server Error",
            _ => "Whatever",
        };
        self.raw(format!("HTTP/1.1 {status} {reason}\r\n{headers}\r\n"))
    }

    /// Sends a complete response.
    pub(crate) fn whole(&mut self, status: u16, headers: &str, body: &[u8]) {
        let headers = format!("{headers}content-length: {}\r\n", body.len());
        if self.head(status, &headers) {
            self.raw(body);
        }
    }

    /// Sends a complete response with a content type.
    pub(crate) fn text(&mut self, status: u16, kind: &str, body: &str) {
        self.whole(status, &format!("content-type: {kind}\r\n"), body.as_bytes());
    }

    /// Sends a complete JSON response.
    pub(crate) fn json(&mut self, status: u16, body: &str) {
        self.text(status, "application/json", body);
    }

    /// Sends a response without a body.
    pub(crate) fn empty(&mut self, status: u16) {
        self.whole(status, "", b"");
    }

    /// Starts an event stream that is ended with [`Reply::end`]; its pieces are chunks.
    pub(crate) fn stream(&mut self) -> bool {
        self.head(
            200,
            "content-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked\r\n",
        )
    }

    /// Sends a piece of a stream, split anywhere.
    pub(crate) fn piece(&mut self, text: &str) -> bool {
        self.raw(format!("{:x}\r\n{text}\r\n", text.len()))
    }

    /// Sends an event with a message.
    pub(crate) fn event(&mut self, data: &str) -> bool {
        self.piece(&format!("event: message\ndata: {data}\n\n"))
    }

    /// Ends a stream properly.
    pub(crate) fn end(&mut self) {
        self.raw("0\r\n\r\n");
    }

    /// Waits until the client closes.
    pub(crate) fn wait_for_the_end(&mut self) {
        let mut rest = [0; 1024];
        while self.stream.read(&mut rest).is_ok_and(|read| read > 0) {}
        self.over = true;
    }

    /// Sends `text` repeatedly until the client closes.
    pub(crate) fn drip(&mut self, text: &str, pause: Duration) {
        while self.raw(text) {
            std::thread::sleep(pause);
        }
    }

    /// 429 with `Retry-After`.
    pub(crate) fn busy(&mut self) {
        let headers = "content-type: text/plain\r\nretry-after: 7\r\n";
        self.whole(429, headers, b"Too many requests");
    }

    /// JSON that never ends: a byte every 20 ms.
    pub(crate) fn endless_json(&mut self) {
        let headers = "content-type: application/json\r\ncontent-length: 1000000\r\n";
        self.head(200, headers);
        self.drip(" ", Duration::from_millis(20));
    }

    /// The same connection, for another thread.
    pub(crate) fn twin(&self) -> Option<Self> {
        self.stream.try_clone().ok().map(Self::new)
    }
}
