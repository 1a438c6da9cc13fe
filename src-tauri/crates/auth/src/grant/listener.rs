//! Receives the browser's redirect on a port of this machine, on both loopback addresses, for one run.
//!
//! It serves one path, reads no body, keeps no connection open, and shows the outcome on a page ([`crate::grant::page`]).

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::grant::callback::{CallbackParams, Checked, Expected};
use crate::grant::page;
use crate::{Failure, Step};

const PATH: &str = "/callback";
/// The maximum size of a request head, in bytes.
const HEAD: usize = 16 << 10;
/// The time limit for receiving it.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many free ports are tried until one is free on both addresses.
const TRIES: usize = 20;
/// The maximum number of concurrent connections.
const CONNECTIONS: usize = 16;

/// A bound port.
pub(crate) struct Listener {
    port: u16,
    sockets: Vec<TcpListener>,
}

impl Listener {
    /// Binds this port, or any free one.
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

    /// Binds the same port on both addresses. On a machine without IPv6 one is enough, because `localhost` has no IPv6
    /// address either.
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

    /// The redirect URI.
    pub(crate) fn redirect_uri(&self) -> String {
        format!("http://localhost:{}{PATH}", self.port)
    }

    /// Serves until it is dropped. A response for this run is passed on after its page is written.
    pub(crate) async fn serve(&self, expected: &Expected, found: &mpsc::Sender<Checked>) {
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

/// Accepts the next connection on any of the sockets.
async fn accept(sockets: &[TcpListener]) -> TcpStream {
    loop {
        let each = sockets.iter().map(|socket| Box::pin(socket.accept()));
        let (accepted, _, _) = futures_util::future::select_all(each).await;
        let accepted: io::Result<(TcpStream, SocketAddr)> = accepted;
        match accepted {
            Ok((stream, _)) => return stream,
            // The connection is already closed, or no file descriptor is free: this may be temporary.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// Handles one request.
async fn answer(mut stream: TcpStream, port: u16, expected: &Expected, found: &mpsc::Sender<Checked>) {
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

/// Reads the head of a request.
async fn head(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    while !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
        if bytes.len() > HEAD || stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    String::from_utf8(bytes).ok()
}

/// Returns the page for a request, and the response that it carried.
fn route(head: &str, port: u16, expected: &Expected) -> (String, Option<Checked>) {
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let host = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("host"))
        .map(|(_, value)| value.trim());
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    // Reject an unknown host: a foreign page may have bound its name to this machine (DNS rebinding).
    let ours = host.is_some_and(|host| {
        // Browsers leave out the default port.
        let is_of = |name: &&str| host == format!("{name}:{port}") || (port == 80 && host == *name);
        ["localhost", "127.0.0.1", "[::1]"].iter().any(is_of)
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
    let judged = CallbackParams::query(query).judge(expected);
    let page = match &judged {
        Checked::Code(_) => page::response(
            "200 OK",
            "You can go back to Patchbay",
            "The authorization server has responded, and Patchbay continues. You can close this page.",
        ),
        Checked::Foreign(why) => page::response(
            "400 Bad Request",
            "This does not belong to the current authorization",
            &format!("{why} Patchbay is still waiting for the right response."),
        ),
        Checked::Refused(refused) => page::response(
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
        Checked::Foreign(_) => (page, None),
        judged => (page, Some(judged)),
    }
}

/// Capitalizes the first letter.
fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
