//! Restricts where requests of a run may go: https or this machine. Private networks are allowed only if the server is in
//! one, the user agrees, a stored token was issued there, or the settings name the identity provider there.

use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use patchbay_http::{Addresses, Url, is_loopback, is_private};

use crate::run::reporter::RunReporter;
use crate::{Answer, Failure, Question, Step, rules};

/// Where the requests of one run may go.
pub(crate) struct Guard {
    server: Url,
    known: Mutex<Known>,
}

/// What is known of the addresses.
struct Known {
    /// The address of the server itself.
    peer: Option<IpAddr>,
    /// Addresses in private networks that the user allowed. Each means its origin: another port is another service.
    allowed: Vec<Url>,
    /// The token endpoint that issued the stored token, or the user's identity provider.
    issuer: Option<Url>,
}

impl Guard {
    /// `peer` is the address that the connection to the server really has. Its name is not resolved again: the answer could
    /// be another one. A server whose address is not known yet is where its URL or its first connection says.
    pub(crate) fn new(server: Url, peer: Option<IpAddr>) -> Self {
        let known = Known {
            peer: peer.or_else(|| literal(&server)),
            allowed: Vec::new(),
            issuer: None,
        };
        Self {
            server,
            known: Mutex::new(known),
        }
    }

    /// Allows the origin of the token endpoint that issued the stored token, and nothing else: the endpoint was requested
    /// then, with the user's consent if its address was private. A name that leads to another address since then still has
    /// to prove itself with its certificate. Likewise the identity provider of the settings, which the user named.
    pub(crate) fn allow_issuer(&self, address: Url) {
        self.known().issuer = Some(address);
    }

    /// Notes the address of a connection. That of the server says whether the server is in a private network.
    pub(crate) fn connected(&self, url: &Url, peer: Option<IpAddr>) {
        let mut known = self.known();
        if known.peer.is_none() && url.origin() == self.server.origin() {
            known.peer = peer;
        }
    }

    /// The addresses that a request may connect to.
    pub(crate) fn addresses(&self, url: &Url) -> Addresses {
        let known = self.known();
        let is_near = match known.peer {
            Some(peer) => is_private(peer),
            // It names itself. Where it is will be known with the first connection.
            None => url.origin() == self.server.origin(),
        };
        let mut allowed = known.allowed.iter().chain(&known.issuer);
        match is_near || allowed.any(|allowed| allowed.origin() == url.origin()) {
            true => Addresses::Any,
            false => Addresses::Public,
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the user whether a public server may refer to a private address.
    pub(crate) async fn consent(
        &self,
        url: &Url,
        address: IpAddr,
        reporter: &RunReporter,
    ) -> Result<(), Failure> {
        let origin = url.origin().ascii_serialization();
        let server = self.server.host_str().unwrap_or_default();
        let why = format!(
            "{server} is on the public internet but names {origin} ({address}), which is this machine or a \
             private network. A malicious server could use this to reach services that only you can reach."
        );
        let question = Question::PrivateAddress {
            url: url.clone(),
            why: why.clone(),
        };
        match reporter.ask(question).await {
            Some(Answer::PrivateAddress { allow: true }) => {
                self.known().allowed.push(url.clone());
                Ok(())
            }
            _ => Err(Failure::new(
                reporter.at(),
                why,
                "Allow it if you know this address; otherwise do not use this server.",
            )
            .against(rules::RESOURCE_METADATA_SSRF)),
        }
    }

    /// Checks an address that is opened in the browser. Its name is not resolved, so only literal addresses are checked.
    pub(crate) async fn browser(&self, url: &Url, reporter: &RunReporter) -> Result<(), Failure> {
        secure(reporter.at(), "authorization endpoint", url)?;
        match literal(url).filter(|address| is_private(*address)) {
            Some(address) if self.addresses(url) == Addresses::Public => {
                self.consent(url, address, reporter).await
            }
            _ => Ok(()),
        }
    }
}

/// Whether the user refused a private address, or was not there to allow it. The same question would follow for the next address.
pub(crate) fn is_refused_consent(failure: &Failure) -> bool {
    failure.rule == Some(rules::RESOURCE_METADATA_SSRF)
}

/// Requires `https`, or `http` to this machine.
pub(crate) fn secure(step: Step, what: &str, url: &Url) -> Result<(), Failure> {
    let host = url.host_str().unwrap_or_default();
    let failure = match url.scheme() {
        "https" => return Ok(()),
        "http" if is_loopback(host) => return Ok(()),
        "http" => Failure::new(
            step,
            format!("the {what} {url} is not https"),
            "Serve it over https; http is allowed for this machine only.",
        ),
        _ => Failure::new(
            step,
            format!("the {what} {url} is not an https URL"),
            "Correct the address in the metadata.",
        ),
    };
    Err(failure.against(rules::MCP_SECURE))
}

/// The address, if the host is an IP address or a name of this machine.
fn literal(url: &Url) -> Option<IpAddr> {
    let host = url.host_str()?;
    let plain = host.trim_start_matches('[').trim_end_matches(']');
    plain
        .parse()
        .ok()
        .or_else(|| is_loopback(host).then(|| IpAddr::from([127, 0, 0, 1])))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A resolver that also answers with a private address must not open the private network.
    #[test]
    fn the_address_that_is_connected_to_decides() {
        let elsewhere: Url = "https://10.0.0.7/token".parse().unwrap();
        let allowed = |server: &str, peer: Option<&str>| {
            let guard = Guard::new(server.parse().unwrap(), peer.map(|peer| peer.parse().unwrap()));
            guard.addresses(&elsewhere)
        };
        assert_eq!(
            allowed("https://mcp.example/", Some("93.184.216.34")),
            Addresses::Public
        );
        assert_eq!(allowed("https://mcp.example/", Some("10.1.2.3")), Addresses::Any);
        // Before the first connection, or behind a proxy: as the URL says. The name is not resolved.
        assert_eq!(allowed("https://mcp.example/", None), Addresses::Public);
        assert_eq!(allowed("http://127.0.0.1:1/", None), Addresses::Any);
        assert_eq!(allowed("http://localhost:1/", None), Addresses::Any);
        // A private name in the URL says nothing if the connection went elsewhere.
        assert_eq!(
            allowed("http://localhost:1/", Some("93.184.216.34")),
            Addresses::Public
        );
    }

    /// A server in a VPN whose address is not known yet, because nothing was refused so far.
    #[test]
    fn a_server_may_name_itself_and_its_first_connection_says_where_it_is() {
        let url = |text: &str| -> Url { text.parse().unwrap() };
        let metadata = url("https://mcp.corp/.well-known/oauth-protected-resource");
        let elsewhere = url("https://10.0.0.7/token");
        for (peer, others) in [
            (Some([10, 0, 0, 5]), Addresses::Any),
            (Some([93, 184, 216, 34]), Addresses::Public),
            (None, Addresses::Public),
        ] {
            let guard = Guard::new(url("https://mcp.corp/mcp"), None);
            assert_eq!(guard.addresses(&metadata), Addresses::Any);
            for other in [
                "https://mcp.corp:8443/",
                "https://other.corp/",
                "https://10.0.0.7/token",
            ] {
                assert_eq!(guard.addresses(&url(other)), Addresses::Public, "{other}");
            }
            // Another host says nothing about the server.
            guard.connected(&elsewhere, Some([10, 0, 0, 7].into()));
            assert_eq!(guard.addresses(&elsewhere), Addresses::Public);
            guard.connected(&metadata, peer.map(IpAddr::from));
            assert_eq!(guard.addresses(&elsewhere), others, "{peer:?}");
        }
        // One that was at a public address may not lead to a private one, not even by its own name.
        let guard = Guard::new(url("https://mcp.corp/mcp"), Some([93, 184, 216, 34].into()));
        assert_eq!(guard.addresses(&metadata), Addresses::Public);
    }

    #[test]
    fn only_the_origin_of_the_issuer_or_of_an_allowed_address_is_allowed() {
        let url = |text: &str| -> Url { text.parse().unwrap() };
        let allows: [fn(&Guard, Url); 2] = [Guard::allow_issuer, |guard, url| {
            guard.known().allowed.push(url);
        }];
        for allow in allows {
            let guard = Guard::new(url("https://mcp.example/"), Some([93, 184, 216, 34].into()));
            let endpoint = url("https://10.0.0.7:8443/token");
            assert_eq!(guard.addresses(&endpoint), Addresses::Public);
            allow(&guard, endpoint);
            assert_eq!(
                guard.addresses(&url("https://10.0.0.7:8443/revoke")),
                Addresses::Any
            );
            for other in [
                "https://10.0.0.7/token",
                "http://10.0.0.7:8443/token",
                "https://10.0.0.8:8443/token",
            ] {
                assert_eq!(guard.addresses(&url(other)), Addresses::Public, "{other}");
            }
        }
    }
}
