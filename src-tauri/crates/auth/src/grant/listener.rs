//! Where the browser comes back to: a port of this machine, on both loopback addresses, for one run.
//!
//! It serves one path, reads no body, keeps no connection, and says what happened on a page ([`crate::grant::page`]).

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::grant::callback::{Brought, Expected, Judged};
use crate::grant::page;
use crate::{Failure, Step};

const PATH: &str = "/callback";
/// The longest head of a request.
const HEAD: usize = 16 << 10;
/// How long a browser may take to send it.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many free ports are tried until one is free on both addresses.
const TRIES: usize = 20;
/// How many browsers are served at the same time.
const CONNECTIONS: usize = 16;

/// A bound port.
pub(crate) struct Listener {
    port: u16,
    sockets: Vec<TcpListener>,
}

impl Listener {
    /// Binds a port: this one, or any that is free.
    pub(crate) async fn bind(port: Option<u16>) -> Result<Self, Failure> {
        let failure = |error: io::Error| {
            let which = port.map_or_else(
                || "no free port".to_owned(),
                |port| format!("port {port} cannot be used"),
            );
            Failure::new(
                Step::Registration,
                format!("{which} for the browser's redirect: {error}"),
                "Choose another redirect port in the settings, or stop the program that uses it.",
            )
        };
        match port {
            Some(port) => Self::both(port).await.map_err(failure),
            None => Self::free().await.map_err(failure),
        }
    }

    async fn free() -> io::Result<Self> {
        let mut last = None;
        for _ in 0..TRIES {
            match Self::both(0).await {
                Ok(listener) => return Ok(listener),
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or_else(|| io::Error::other("no port is free")))
    }

    /// The same port on both addresses. Where this machine has no IPv6, one will do: then `localhost` has none either.
    async fn both(port: u16) -> io::Result<Self> {
        let four = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let port = four.local_addr()?.port();
        let mut sockets = vec![four];
        match TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await {
            Ok(six) => sockets.push(six),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => return Err(error),
            Err(_) => {}
        }
        Ok(Self { port, sockets })
    }

    /// The address that the browser is to come back to.
    pub(crate) fn redirect_uri(&self) -> String {
        format!("http://localhost:{}{PATH}", self.port)
    }

    /// Serves until it is dropped. What comes back for this run is sent on, once its page is written.
    pub(crate) async fn serve(&self, expected: &Expected, found: &mpsc::Sender<Judged>) {
        let expected = Arc::new(expected.clone());
        let mut open = JoinSet::new();
        loop {
            let stream = tokio::select! {
                stream = accept(&self.sockets) => stream,
                Some(_) = open.join_next() => continue,
            };
            if open.len() >= CONNECTIONS {
                drop(stream);
                continue;
            }
            let (expected, found, port) = (Arc::clone(&expected), found.clone(), self.port);
            open.spawn(async move {
                let _ = tokio::time::timeout(PATIENCE, answer(stream, port, &expected, &found)).await;
            });
        }
    }
}

/// The next connection on any of the sockets.
async fn accept(sockets: &[TcpListener]) -> TcpStream {
    loop {
        let each = sockets.iter().map(|socket| Box::pin(socket.accept()));
        let (accepted, _, _) = futures_util::future::select_all(each).await;
        let accepted: io::Result<(TcpStream, SocketAddr)> = accepted;
        match accepted {
            Ok((stream, _)) => return stream,
            // A connection that is gone already, or no file is left to open: it may get better.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// Answers one request.
async fn answer(mut stream: TcpStream, port: u16, expected: &Expected, found: &mpsc::Sender<Judged>) {
    let Some(head) = head(&mut stream).await else {
        return;
    };
    let (page, judged) = route(&head, port, expected);
    let _ = stream.write_all(page.as_bytes()).await;
    let _ = stream.shutdown().await;
    if let Some(judged) = judged {
        let _ = found.send(judged).await;
    }
}

/// The head of a request.
async fn head(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    while !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
        if bytes.len() > HEAD || stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    String::from_utf8(bytes).ok()
}

/// The page for a request, and what it brings.
fn route(head: &str, port: u16, expected: &Expected) -> (String, Option<Judged>) {
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let host = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("host"))
        .map(|(_, value)| value.trim());
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    // A page of a stranger that has this machine under its own name (DNS rebinding) gets nothing.
    let ours = host.is_some_and(|host| {
        ["localhost", "127.0.0.1", "[::1]"]
            .iter()
            .any(|name| host == format!("{name}:{port}"))
    });
    if !ours || path != PATH {
        return (
            page::response("404 Not Found", "Not found", "This address is not in use."),
            None,
        );
    }
    if method != "GET" {
        let text = "This address only accepts the redirect of an authorization.";
        return (
            page::response("405 Method Not Allowed", "Method not allowed", text),
            None,
        );
    }
    let judged = Brought::query(query).judge(expected);
    let page = match &judged {
        Judged::Code(_) => page::response(
            "200 OK",
            "You can go back to Patchbay",
            "The authorization server has responded, and Patchbay continues. You can close this page.",
        ),
        Judged::Foreign(why) => page::response(
            "400 Bad Request",
            "This does not belong to the current authorization",
            &format!("{why} Patchbay is still waiting for the right response."),
        ),
        Judged::Refused(refused) => page::response(
            "400 Bad Request",
            "The authorization failed",
            &format!(
                "{}. {} ({})",
                capital(&refused.cause),
                refused.next,
                refused.rule.name
            ),
        ),
    };
    match judged {
        Judged::Foreign(_) => (page, None),
        judged => (page, Some(judged)),
    }
}

/// With a capital letter.
fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
