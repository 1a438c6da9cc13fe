//! The pool of open connections, reused for requests to the same origin.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http2::SendRequest;

use crate::{PeerDelay, connect::h1::Http1, is_private};

/// The maximum number of idle connections per origin.
const KEPT: usize = 128;
/// How long an idle connection is reused if the server does not say: less than the 5 s of Node and uvicorn, so that no
/// request is sent on a closing connection.
const IDLE: Duration = Duration::from_secs(4);
/// The maximum idle time, whatever the server says.
const LONGEST: Duration = Duration::from_secs(300);

/// An HTTP/2 connection; clones share it.
#[derive(Clone)]
pub(crate) struct Http2 {
    pub(crate) sender: SendRequest<Full<Bytes>>,
    /// Tells it from a later one to the same origin.
    identity: Arc<()>,
}

impl Http2 {
    pub(crate) fn new(sender: SendRequest<Full<Bytes>>) -> Self {
        Self {
            sender,
            identity: Arc::default(),
        }
    }
}

/// A connection to send a request on.
pub(crate) enum Carrier {
    H1(Box<Http1>),
    H2(Http2),
}

/// The pool.
#[derive(Default)]
pub(crate) struct Pool {
    origins: Mutex<HashMap<Box<str>, Origin>>,
}

#[derive(Default)]
struct Origin {
    /// The most recently used one is last.
    idle: Vec<Idle>,
    shared: Option<Http2>,
    /// An address that was connected to, without a proxy: a public one if there was any.
    peer: Option<IpAddr>,
}

struct Idle {
    connection: Box<Http1>,
    until: Instant,
}

impl Pool {
    fn origins(&self) -> MutexGuard<'_, HashMap<Box<str>, Origin>> {
        self.origins.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an open connection to the origin.
    pub(crate) fn take(&self, origin: &str) -> Option<Carrier> {
        let mut origins = self.origins();
        let origin = origins.get_mut(origin)?;
        if let Some(shared) = &origin.shared {
            if !shared.sender.is_closed() {
                return Some(Carrier::H2(shared.clone()));
            }
            origin.shared = None;
        }
        let now = Instant::now();
        while let Some(idle) = origin.idle.pop() {
            if idle.until > now && !idle.connection.is_closed() {
                return Some(Carrier::H1(idle.connection));
            }
        }
        None
    }

    /// Returns a connection to the pool after a complete exchange. `keep_alive` is the header field of that name.
    pub(crate) fn put(&self, origin: &str, connection: Box<Http1>, keep_alive: Option<&str>) {
        let idle = keep_alive.and_then(timeout).unwrap_or(IDLE).min(LONGEST);
        if connection.is_closed() || idle.is_zero() {
            return;
        }
        let now = Instant::now();
        let until = now + idle;
        self.with(origin, |Origin { idle, .. }| {
            // All that may not be reused any more, wherever they are: the times that servers give differ.
            idle.retain(|kept| kept.until > now);
            if idle.len() == KEPT {
                idle.remove(0);
            }
            idle.push(Idle { connection, until });
        });
    }

    /// Remembers the address of a new connection without a proxy.
    pub(crate) fn reached(&self, origin: &str, address: IpAddr) {
        self.with(origin, |origin| {
            if origin.peer.is_none_or(is_private) {
                origin.peer = Some(address);
            }
        });
    }

    /// An address that was connected to: a public one if there was any, so that one private address among the answers of
    /// a resolver does not make a server private. `None` if there was no connection, or only through a proxy.
    pub(crate) fn peer(&self, origin: &str) -> Option<IpAddr> {
        self.origins().get(origin)?.peer
    }

    /// Shares an HTTP/2 connection.
    pub(crate) fn share(&self, origin: &str, connection: Http2) {
        self.with(origin, |origin| origin.shared = Some(connection));
    }

    /// Does not share this HTTP/2 connection any more. The requests on it go on.
    pub(crate) fn retire(&self, origin: &str, connection: &Http2) {
        self.with(origin, |origin| {
            let is_same = |shared: &mut Http2| Arc::ptr_eq(&shared.identity, &connection.identity);
            origin.shared.take_if(is_same);
        });
    }

    /// Runs `with` on the origin's entry, which is created if missing.
    fn with(&self, origin: &str, change: impl FnOnce(&mut Origin)) {
        let mut origins = self.origins();
        match origins.get_mut(origin) {
            Some(known) => change(known),
            None => change(origins.entry(origin.into()).or_default()),
        }
    }
}

/// `timeout=5` of a `Keep-Alive` field, minus one second.
fn timeout(keep_alive: &str) -> Option<Duration> {
    let seconds = keep_alive
        .split(',')
        .find_map(|part| part.trim().strip_prefix("timeout="))?
        .trim();
    let asked = PeerDelay::parse_secs(seconds)?.get();
    Some(asked.saturating_sub(Duration::from_secs(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The owner of a name may answer with a private address at any time. One public address is enough to make its
    /// server a public one, whichever came first.
    #[test]
    fn one_public_address_makes_an_origin_public_in_any_order() {
        let (public, private) = (IpAddr::from([1, 1, 1, 1]), IpAddr::from([10, 0, 0, 7]));
        let peer_after = |addresses: &[IpAddr]| {
            let pool = Pool::default();
            for address in addresses {
                pool.reached("https://one.test", *address);
            }
            assert_eq!(pool.peer("https://another.test"), None);
            pool.peer("https://one.test")
        };
        assert_eq!(peer_after(&[]), None);
        assert_eq!(peer_after(&[private]), Some(private));
        assert_eq!(peer_after(&[public, private]), Some(public));
        assert_eq!(peer_after(&[private, public]), Some(public));
        assert_eq!(peer_after(&[private, public, private]), Some(public));
    }
}
