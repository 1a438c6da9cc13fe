//! The state that the servers of one provider share.

use std::{
    net::SocketAddr,
    sync::{Mutex, MutexGuard, PoisonError, mpsc},
};

use super::{ledger::Ledger, variants::Variant};
use crate::http::{harness::Harness, request::Request};

/// The claimed address of a public server, which no test connects to. Tests use a proxy.
const PUBLIC: &str = "https://1.1.1.1";

/// The state of a protected server and its authorization servers.
pub(super) struct Servers {
    pub(super) variant: Variant,
    /// The protected server's origin.
    pub(super) resource: String,
    /// The resource in its metadata, if a test set one.
    pub(super) published: Mutex<Option<String>>,
    /// The real address of a public server, with TLS.
    pub(super) tls: Option<SocketAddr>,
    /// The origins of the authorization servers: the used one, and another one.
    pub(super) others: [String; 2],
    pub(super) ledger: Mutex<Ledger>,
    pub(super) harness: Harness,
    pub(super) has_moved: Mutex<bool>,
    /// Releases a held response.
    pub(super) release: mpsc::Sender<()>,
    released: Mutex<mpsc::Receiver<()>>,
}

impl Servers {
    /// The protected server is at `address`, the authorization servers are at `others`.
    pub(super) fn new(
        variant: Variant,
        address: SocketAddr,
        tls: Option<SocketAddr>,
        others: [SocketAddr; 2],
    ) -> Self {
        let (release, released) = mpsc::channel();
        Self {
            variant,
            resource: if variant.is_public() {
                PUBLIC.to_owned()
            } else {
                format!("http://{address}")
            },
            published: Mutex::default(),
            tls,
            others: others.map(|address| format!("http://{address}")),
            ledger: Mutex::default(),
            harness: Harness::new(address),
            has_moved: Mutex::default(),
            release,
            released: Mutex::new(released),
        }
    }

    pub(super) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        locked(&self.ledger)
    }

    pub(super) fn has_moved(&self) -> MutexGuard<'_, bool> {
        locked(&self.has_moved)
    }

    /// Waits until the test releases the response.
    pub(super) fn hold(&self) {
        let _ = locked(&self.released).recv();
    }

    /// The origins of the authorization servers, and the real address of a public server, one line each.
    pub(super) fn addresses(&self) -> String {
        let tls = self.tls.map(|address| address.to_string()).unwrap_or_default();
        format!("{}\n{}\n{tls}", self.others[0], self.others[1])
    }

    /// The protected resource.
    pub(super) fn resource(&self) -> String {
        let published = locked(&self.published).clone();
        published.unwrap_or_else(|| format!("{}/mcp", self.resource))
    }

    /// An authorization server's issuer.
    pub(super) fn issuer(&self, which: usize) -> String {
        let origin = self.others.get(which).unwrap_or(&self.resource);
        match self.variant {
            Variant::Old | Variant::OldDefaults | Variant::PublicIssuer => self.resource.clone(),
            Variant::OpenId => format!("{origin}/tenant"),
            _ => origin.clone(),
        }
    }

    /// Records `as GET /authorize scope=…`: the server, the request, and details that do not vary.
    pub(super) fn saw(&self, server: &str, request: &Request, more: &str) {
        let (path, _) = request.target();
        let revision = match (&*request.method, request.header("mcp-protocol-version")) {
            ("GET", Some(revision)) => format!(" v{revision}"),
            _ => String::new(),
        };
        let text = format!("{server} {} {path}{revision} {more}", request.method);
        let text = text.replace(&self.resource, "http://mcp");
        let text = text.replace(&self.others[0], "http://as");
        self.harness.note(&text.replace(&self.others[1], "http://as2"));
    }
}

/// The value of a mutex, even if a thread of a test panicked while holding the lock.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
