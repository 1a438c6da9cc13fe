//! The scripted server's HTTP modes, as a process of a test.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
};

use crate::{harness::page::Page, programs::ours};

/// A running server. It is ended with the test.
pub(crate) struct Server {
    child: Child,
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start(behaviour: &str) -> Self {
        Self::of("http", behaviour)
    }

    /// In one of its modes over HTTP: `http`, `https`, `oauth`.
    pub(crate) fn of(mode: &str, part: &str) -> Self {
        let mut child = Command::new(ours("patchbay-test-server"))
            .args([mode, part])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let read = BufReader::new(child.stdout.take().unwrap()).read_line(&mut url);
        assert!(read.is_ok_and(|read| read > 0), "there is no {mode} {part}");
        Self {
            child,
            url: url.trim_end().to_owned(),
        }
    }

    fn address(&self) -> &str {
        let rest = self.url.strip_prefix("http://").unwrap();
        rest.split('/').next().unwrap()
    }

    /// Without the port, which varies, and the `_meta` that all modern requests of these tests share.
    pub(crate) fn anonymous(&self, text: &str) -> String {
        const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#;
        text.replace(self.address(), "server").replace(META, "{…}")
    }

    /// A request to the server and its response: everything that the server sent before has then arrived.
    pub(crate) async fn round_trip(&self) {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let mut stream = tokio::net::TcpStream::connect(self.address()).await.unwrap();
        stream.write_all(b"GET /seen HTTP/1.1\r\n\r\n").await.unwrap();
        stream.shutdown().await.unwrap();
        stream.read_to_end(&mut Vec::new()).await.unwrap();
    }

    /// What the server has received so far, one line each.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.report("seen")
    }

    /// Lines of its report.
    pub(crate) fn report(&self, what: &str) -> Vec<String> {
        let page = Page::get(&format!("http://{}/{what}", self.address()));
        page.body.lines().map(str::to_owned).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
