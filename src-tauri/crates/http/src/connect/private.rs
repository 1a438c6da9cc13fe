//! Addresses outside the public internet, which a foreign URL must not reach (server-side request forgery).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::Step;
use crate::connect::resolve;
use crate::failed::Fault;

/// Whether an address belongs to this machine, to a private network, or to no network: all but the globally reachable ones
/// in the registries of RFC 6890. An IPv6 address that contains an IPv4 address is classified by it.
#[must_use]
pub fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => v4(address),
        IpAddr::V6(address) => match embedded(address) {
            Some(address) => v4(address),
            None => v6(address),
        },
    }
}

fn v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || a == 0
        // Shared address space of providers (RFC 6598), IETF protocol assignments, benchmarks, reserved.
        || (a == 100 && (64..128).contains(&b))
        || (a, b, c) == (192, 0, 0)
        || (a == 198 && (b == 18 || b == 19))
        || a >= 240
}

fn v6(address: Ipv6Addr) -> bool {
    let first = address.segments()[0];
    address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        || address.is_unique_local()
        || address.is_unicast_link_local()
        // Site-local (deprecated), discard-only, documentation.
        || first & 0xffc0 == 0xfec0
        || first == 0x0100
        || address.segments()[..2] == [0x2001, 0x0db8]
}

/// The IPv4 address within a mapped (`::ffff:`), a compatible (`::`), a NAT64 (`64:ff9b::`) or a 6to4 (`2002:`) one.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let from = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match [a, b, c, d, e, f] {
        [0, 0, 0, 0, 0, 0xffff] | [0x64, 0xff9b, 0, 0, 0, 0] => Some(from(g, h)),
        [0, 0, 0, 0, 0, 0] if g != 0 => Some(from(g, h)),
        [0x2002, ..] => Some(from(b, c)),
        _ => None,
    }
}

/// The address, if the host of a URL is an IP address or a name of this machine.
pub(crate) fn literal(host: &str) -> Option<IpAddr> {
    resolve::literal(host).or_else(|| resolve::is_loopback(host).then_some(IpAddr::V4(Ipv4Addr::LOCALHOST)))
}

/// Rejects a host with a private address.
pub(crate) fn none_of(host: &str, addresses: impl IntoIterator<Item = IpAddr>) -> Result<(), Fault> {
    let Some(address) = addresses.into_iter().find(|address| is_private(*address)) else {
        return Ok(());
    };
    let fault = Fault::new(
        Step::Resolve,
        format!("{host} is {address}, which is not an address of the public internet"),
        "Patchbay connects to it only if you allow it.",
    );
    Err(Fault {
        private: Some(address),
        ..fault
    })
}

#[cfg(test)]
mod tests;
