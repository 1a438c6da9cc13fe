//! A forward proxy on the loopback that maps a public address to this machine, so that no request leaves it.

use std::sync::{Arc, Mutex};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional},
    net::{TcpListener, TcpStream},
};

/// A running proxy. It ends with the test's runtime.
pub(crate) struct Proxy {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// Connects to `there` for requests to `public`, and otherwise only to this machine.
    pub(crate) async fn start(public: &'static str, there: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = seen.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (there, seen) = (there.clone(), seen.clone());
                tokio::spawn(async move {
                    let _ = pass_on(client, public, &there, &seen).await;
                });
            }
        });
        Self { url, seen: kept }
    }

    /// The heads of the requests that it was sent, the first of each connection.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

async fn pass_on(
    mut client: TcpStream,
    public: &str,
    there: &str,
    seen: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await?);
    }
    let text = String::from_utf8_lossy(&head);
    seen.lock().unwrap().push(text.clone().into_owned());
    let mut words = text.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_tunnel = method == "CONNECT";
    let asked = match target.strip_prefix("http://") {
        Some(rest) => rest.split('/').next().unwrap_or_default(),
        None => target,
    };
    let to = if asked == public { there } else { asked };
    assert!(to.starts_with("127.0.0.1:"), "{to} is not of this test");
    let mut server = TcpStream::connect(to).await?;
    match is_tunnel {
        true => client.write_all(b"HTTP/1.1 200 Connected\r\n\r\n").await?,
        false => server.write_all(&head).await?,
    }
    copy_bidirectional(&mut client, &mut server).await.map(drop)
}
