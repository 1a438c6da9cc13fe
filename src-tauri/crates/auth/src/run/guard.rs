//! Restricts where requests of a run may go: https or this machine. Private networks are allowed only if the server is in
//! one or the user agrees.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::time::Duration;

use patchbay_http::{Addresses, Url, is_loopback, is_private};
use tokio::sync::Mutex;

use crate::run::reporter::RunReporter;
use crate::{Answer, Failure, Question, Step, rules};

/// The time limit for resolving the server's addresses.
const LOOKUP: Duration = Duration::from_secs(2);

/// Where the requests of one run may go.
pub(crate) struct Guard {
    server: Url,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// Whether the server itself is in a private network.
    private: Option<bool>,
    /// The private hosts that the user allowed.
    allowed: BTreeSet<String>,
}

impl Guard {
    pub(crate) fn new(server: Url) -> Self {
        Self {
            server,
            known: Mutex::default(),
        }
    }

    /// The addresses that a request may connect to.
    pub(crate) async fn addresses(&self, url: &Url) -> Addresses {
        let mut known = self.known.lock().await;
        if known.private.is_none() {
            known.private = Some(in_private(&self.server).await);
        }
        let host = url.host_str().unwrap_or_default();
        if known.private == Some(true) || known.allowed.contains(host) {
            return Addresses::Any;
        }
        Addresses::Public
    }

    /// Asks the user whether a public server may refer to a private address.
    pub(crate) async fn consent(
        &self,
        url: &Url,
        address: IpAddr,
        reporter: &RunReporter,
    ) -> Result<(), Failure> {
        let host = url.host_str().unwrap_or_default();
        let server = self.server.host_str().unwrap_or_default();
        let why = format!(
            "{server} is on the public internet but names {host} ({address}), which is this machine or a \
             private network. A malicious server could use this to reach services that only you can reach."
        );
        let question = Question::PrivateAddress {
            url: url.clone(),
            why: why.clone(),
        };
        match reporter.ask(question).await {
            Some(Answer::PrivateAddress { allow: true }) => {
                self.known.lock().await.allowed.insert(host.to_owned());
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
            Some(address) if self.addresses(url).await == Addresses::Public => {
                self.consent(url, address, reporter).await
            }
            _ => Ok(()),
        }
    }
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

/// Whether the server of a URL is in a private network. An unresolvable name counts as public, because a proxy may resolve
/// it.
async fn in_private(url: &Url) -> bool {
    if let Some(address) = literal(url) {
        return is_private(address);
    }
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
        return false;
    };
    match tokio::time::timeout(LOOKUP, tokio::net::lookup_host((host, port))).await {
        Ok(Ok(mut addresses)) => addresses.any(|address| is_private(address.ip())),
        _ => false,
    }
}
