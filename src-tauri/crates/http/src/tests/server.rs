//! A server with scripted responses.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The response to the next request.
#[derive(Clone)]
pub(super) enum Act {
    /// Writes this.
    Say(Vec<u8>),
    /// Writes this and closes.
    Last(Vec<u8>),
    /// No response.
    Hang,
    /// Writes this, then nothing more.
    Stall(Vec<u8>),
}

/// The received requests, and closed connections (`closed`).
#[derive(Clone)]
pub(super) struct ReceivedRequests {
    requests: watch::Sender<Vec<String>>,
    connections: watch::Sender<usize>,
}

impl ReceivedRequests {
    pub(super) fn all(&self) -> Vec<String> {
        self.requests.borrow().clone()
    }

    pub(super) fn connections(&self) -> usize {
        *self.connections.borrow()
    }

    /// Waits until there are this many.
    pub(super) async fn wait_for(&self, count: usize) {
        let mut requests = self.requests.subscribe();
        requests.wait_for(|all| all.len() >= count).await.unwrap();
    }

    fn add(&self, request: impl Into<String>) {
        self.requests.send_modify(|all| all.push(request.into()));
    }
}

/// A server on a port of this machine.
pub(super) struct Server {
    pub(super) port: u16,
    pub(super) asked: ReceivedRequests,
}

type Script = Arc<Mutex<VecDeque<Act>>>;

impl Server {
    /// Plain HTTP.
    pub(super) async fn new(acts: impl IntoIterator<Item = Act>) -> Self {
        Self::over(acts, |stream| Box::pin(async { Some(stream) })).await
    }

    /// HTTP over the streams that `wrap` returns.
    pub(super) async fn over<S, F>(acts: impl IntoIterator<Item = Act>, wrap: F) -> Self
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
        F: Fn(TcpStream) -> BoxFuture<'static, Option<S>> + Send + Sync + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = ReceivedRequests {
            requests: watch::Sender::new(Vec::new()),
            connections: watch::Sender::new(0),
        };
        let script: Script = Arc::new(Mutex::new(acts.into_iter().collect()));
        tokio::spawn({
            let asked = asked.clone();
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    asked.connections.send_modify(|count| *count += 1);
                    if let Some(stream) = wrap(stream).await {
                        tokio::spawn(talk(stream, script.clone(), asked.clone()));
                    }
                }
            }
        });
        Self { port, asked }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}

async fn talk<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, script: Script, asked: ReceivedRequests) {
    let mut buffer = Vec::new();
    while let Some(request) = request(&mut stream, &mut buffer).await {
        asked.add(request);
        let act = script.lock().unwrap().pop_front();
        match act {
            Some(Act::Say(bytes)) => stream.write_all(&bytes).await.unwrap(),
            Some(Act::Last(bytes)) => {
                let _ = stream.write_all(&bytes).await;
                let _ = stream.shutdown().await;
                return;
            }
            Some(Act::Stall(bytes)) => {
                stream.write_all(&bytes).await.unwrap();
                // Until the client closes.
                let _ = stream.read_to_end(&mut Vec::new()).await;
                asked.add("closed");
                return;
            }
            Some(Act::Hang) => {
                let _ = stream.read_to_end(&mut Vec::new()).await;
                asked.add("closed");
                return;
            }
            None => return,
        }
    }
}

/// The next request, head and body.
async fn request<S: AsyncRead + Unpin>(stream: &mut S, buffer: &mut Vec<u8>) -> Option<String> {
    loop {
        if let Some(at) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&buffer[..at]).to_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "))
                .map_or(0, |length| length.parse().unwrap());
            if buffer.len() >= at + 4 + length {
                let rest = buffer.split_off(at + 4 + length);
                let whole = std::mem::replace(buffer, rest);
                return Some(String::from_utf8_lossy(&whole).into_owned());
            }
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
}

/// `HTTP/1.1 200 OK` with this body.
pub(super) fn ok(body: &str) -> Act {
    Act::Say(response(200, &[], body.as_bytes()))
}

/// A response with its length.
pub(super) fn response(status: u16, fields: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status} Some\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in fields {
        text += &format!("{name}: {value}\r\n");
    }
    text += "\r\n";
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}
