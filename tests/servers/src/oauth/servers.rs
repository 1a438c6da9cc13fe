//! What the servers of one provider share.

use std::{
    net::SocketAddr,
    sync::{Mutex, MutexGuard, PoisonError, mpsc},
};

use super::{ledger::Ledger, variants::Variant};
use crate::http::{harness::Harness, request::Request};

/// Where a public server claims to be: an address of the public internet that no test connects to. Tests put a proxy between.
const PUBLIC: &str = "https://1.1.1.1";

/// The state of a protected server and its authorization servers.
pub(super) struct Servers {
    pub(super) variant: Variant,
    /// The protected server's origin.
    pub(super) resource: String,
    /// The resource that its metadata names, if a test chose another than the server's address.
    pub(super) published: Mutex<Option<String>>,
    /// Where a public one really is, behind TLS.
    pub(super) tls: Option<SocketAddr>,
    /// The authorization servers' origins: the one that is used, and another one.
    pub(super) others: [String; 2],
    pub(super) ledger: Mutex<Ledger>,
    pub(super) harness: Harness,
    pub(super) has_moved: Mutex<bool>,
    /// Releases a held response.
    pub(super) release: mpsc::Sender<()>,
    released: Mutex<mpsc::Receiver<()>>,
}

impl Servers {
    /// The protected server is at `address`, the authorization servers at `others`.
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

    /// The authorization servers' origins, and where a public server really is: a line each.
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

    /// `as GET /authorize scope=…`: the server, the request, and more of it, without what differs each time.
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

/// The value of a mutex, also after a test's thread panicked while it held the lock.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
