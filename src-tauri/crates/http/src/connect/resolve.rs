//! Resolves host names.

use std::io;
use std::net::{IpAddr, SocketAddr};

use futures_util::future::BoxFuture;

/// Resolves host names.
pub(crate) trait Resolve: Send + Sync {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>>;
}

/// The resolver of the operating system.
pub(crate) struct System;

impl Resolve for System {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((host, port)).await?.collect()) })
    }
}

/// The address, if the host is an IP address; brackets around IPv6 are removed.
pub(crate) fn literal(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Whether the host of a URL is this machine.
#[must_use]
pub fn is_loopback(host: &str) -> bool {
    match literal(host) {
        Some(address) => address.is_loopback(),
        None => {
            let host = host.trim_end_matches('.').to_ascii_lowercase();
            host == "localhost" || host.ends_with(".localhost")
        }
    }
}

/// Alternates IPv6 and IPv4, starting with the family of the first address, so that an unreachable family costs one step
/// only (RFC 8305).
pub(crate) fn interleaved(addresses: Vec<SocketAddr>) -> Vec<SocketAddr> {
    let first_is_6 = addresses.first().is_some_and(SocketAddr::is_ipv6);
    let (one, other): (Vec<_>, Vec<_>) = addresses
        .into_iter()
        .partition(|address| address.is_ipv6() == first_is_6);
    let mut other = other.into_iter();
    let mut mixed = Vec::new();
    for address in one {
        mixed.push(address);
        mixed.extend(other.next());
    }
    mixed.extend(other);
    mixed
}
