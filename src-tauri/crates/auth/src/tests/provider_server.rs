//! A server that is everything at once: the resource's metadata, and an authorization server that behaves unless twisted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A request as it came.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: HashMap<String, String>,
    pub(super) head: String,
    pub(super) body: String,
}

impl Seen {
    /// A field of the form in the body.
    pub(super) fn form(&self, name: &str) -> Option<String> {
        pairs(&self.body).remove(name)
    }

    /// A field of the head.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        let named = |line: &&str| line.to_lowercase().starts_with(&format!("{name}: "));
        self.head.lines().find(named).map(|line| &line[name.len() + 2..])
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

pub(super) struct Said(pub(super) u16, pub(super) String, pub(super) String);

pub(super) fn said(status: u16, body: Value) -> Option<Said> {
    Some(Said(
        status,
        "content-type: application/json\r\n".to_owned(),
        body.to_string(),
    ))
}

pub(super) fn html() -> Option<Said> {
    Some(Said(
        200,
        "content-type: text/html\r\n".to_owned(),
        "<html>hello</html>".to_owned(),
    ))
}

pub(super) fn redirect(to: &str) -> Option<Said> {
    Some(Said(302, format!("location: {to}\r\n"), String::new()))
}

type Twist = Box<dyn Fn(&Seen) -> Option<Said> + Send>;

#[derive(Clone)]
pub(super) struct Provider {
    pub(super) base: String,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    seen: Vec<Seen>,
    twist: Option<Twist>,
    count: u32,
    scope: String,
}

impl Provider {
    pub(super) async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            base: format!("http://{}", listener.local_addr().unwrap()),
            inner: Arc::default(),
        };
        let serving = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(talk(stream, serving.clone()));
            }
        });
        server
    }

    /// From now on it answers so, where the twist says anything.
    pub(super) fn twist(&self, twist: impl Fn(&Seen) -> Option<Said> + Send + 'static) {
        self.inner.lock().unwrap().twist = Some(Box::new(twist));
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// What was asked: `GET /path`.
    pub(super) fn asked(&self) -> Vec<String> {
        let inner = self.inner.lock().unwrap();
        inner
            .seen
            .iter()
            .map(|seen| format!("{} {}", seen.method, seen.path))
            .collect()
    }

    /// The requests to a path.
    pub(super) fn at(&self, path: &str) -> Vec<Seen> {
        let inner = self.inner.lock().unwrap();
        inner
            .seen
            .iter()
            .filter(|seen| seen.path == path)
            .cloned()
            .collect()
    }

    pub(super) fn resource(&self) -> Value {
        json!({"resource": self.url("/mcp"), "authorization_servers": [self.base]})
    }

    pub(super) fn metadata(&self) -> Value {
        json!({
            "issuer": self.base,
            "authorization_endpoint": self.url("/authorize"),
            "token_endpoint": self.url("/token"),
            "registration_endpoint": self.url("/register"),
            "revocation_endpoint": self.url("/revoke"),
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": true,
        })
    }

    fn answer(&self, seen: &Seen) -> Said {
        let mut inner = self.inner.lock().unwrap();
        inner.seen.push(seen.clone());
        if let Some(said) = inner.twist.as_ref().and_then(|twist| twist(seen)) {
            return said;
        }
        match seen.path.as_str() {
            "/.well-known/oauth-protected-resource/mcp" => said(200, self.resource()),
            "/.well-known/oauth-authorization-server" => said(200, self.metadata()),
            "/register" => {
                inner.count += 1;
                said(201, json!({"client_id": format!("client-{}", inner.count)}))
            }
            "/authorize" => {
                inner.count += 1;
                inner.scope = seen.query.get("scope").cloned().unwrap_or_default();
                let to = format!(
                    "{}?code=the-secret-code-{}&state={}&iss={}",
                    seen.query["redirect_uri"], inner.count, seen.query["state"], self.base
                );
                redirect(&to)
            }
            "/token" => {
                inner.count += 1;
                let count = inner.count;
                let mut token = json!({
                    "access_token": format!("access-token-number-{count}"),
                    "token_type": "Bearer",
                    "expires_in": 3600,
                    "refresh_token": format!("refresh-token-number-{count}"),
                });
                if !inner.scope.is_empty() {
                    token["scope"] = json!(inner.scope);
                }
                said(200, token)
            }
            "/revoke" => said(200, json!({})),
            _ => Some(Said(404, String::new(), "nothing".to_owned())),
        }
        .unwrap()
    }
}

async fn talk(mut stream: TcpStream, server: Provider) {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, rest)) = text.split_once("\r\n\r\n") {
            let length = head
                .to_lowercase()
                .lines()
                .find_map(|line| {
                    line.strip_prefix("content-length: ")
                        .map(|text| text.parse::<usize>().unwrap())
                })
                .unwrap_or(0);
            if rest.len() >= length {
                let first = head.lines().next().unwrap();
                let mut words = first.split(' ');
                let (method, target) = (words.next().unwrap(), words.next().unwrap());
                let (path, query) = target.split_once('?').unwrap_or((target, ""));
                let seen = Seen {
                    method: method.to_owned(),
                    path: path.to_owned(),
                    query: pairs(query),
                    head: head.to_owned(),
                    body: rest[..length].to_owned(),
                };
                let Said(status, fields, body) = server.answer(&seen);
                let answer = format!(
                    "HTTP/1.1 {status} Some\r\ncontent-length: {}\r\n{fields}\r\n{body}",
                    body.len()
                );
                stream.write_all(answer.as_bytes()).await.unwrap();
                bytes.clear();
                continue;
            }
        }
        match stream.read_buf(&mut bytes).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

pub(super) fn pairs(text: &str) -> HashMap<String, String> {
    oauth2::url::form_urlencoded::parse(text.as_bytes())
        .into_owned()
        .collect()
}
