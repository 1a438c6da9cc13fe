//! One GET, like a browser that follows no links, and its response.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    time::Duration,
};

/// The response.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) status: u16,
    /// Names are in lower case.
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Page {
    /// Requests an `http://` address.
    pub(crate) fn get(url: &str) -> Self {
        let rest = url
            .strip_prefix("http://")
            .unwrap_or_else(|| panic!("{url} is no address of a test"));
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let mut stream = TcpStream::connect(host).unwrap_or_else(|error| panic!("{url}: {error}"));
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        write!(
            stream,
            "GET /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = BufReader::new(stream);
        let mut line = || {
            let mut line = String::new();
            answer.read_line(&mut line).unwrap();
            line.trim_end().to_owned()
        };
        let first = line();
        let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
        let headers = std::iter::from_fn(|| {
            let line = line();
            let (name, value) = line.split_once(':')?;
            Some((name.to_lowercase(), value.trim().to_owned()))
        });
        let mut page = Self {
            status: status.unwrap_or_else(|| panic!("{url} answers `{first}`")),
            headers: headers.collect(),
            body: String::new(),
        };
        let length = page
            .header("content-length")
            .and_then(|length| length.parse().ok());
        let mut bytes = Vec::new();
        answer
            .take(length.unwrap_or(u64::MAX))
            .read_to_end(&mut bytes)
            .unwrap();
        page.body = String::from_utf8_lossy(&bytes).into_owned();
        page
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}
