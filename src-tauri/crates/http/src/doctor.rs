//! The lower steps of the connection doctor, run separately: resolving, TCP to every address, TLS.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use patchbay_traffic::HttpTls;
use tokio::net::TcpStream;
use url::Url;

use crate::connect::proxy::Proxy;
use crate::connect::resolve::{Resolve, System, literal};
use crate::connect::stream::Stream;
use crate::connect::tls::With;
use crate::connect::{Connector, host_and_port, unreachable_fault};
use crate::failed::Fault;
use crate::{Settings, Step, TlsProblem};

/// The result of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepReport {
    /// The step.
    pub step: Step,
    /// The target: a name, an address or a proxy.
    pub target: String,
    /// The outcome.
    pub outcome: Outcome,
    /// The duration.
    pub took: Duration,
    /// Details: name and value, in display order.
    pub facts: Vec<(&'static str, String)>,
}

/// The outcome of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It succeeded.
    Works,
    /// It failed.
    Fails {
        /// The cause.
        cause: String,
        /// The next action.
        next: String,
        /// The problem with the server's certificate, if that is the cause.
        tls: Option<Box<TlsProblem>>,
    },
    /// It was skipped; the reason.
    Skipped(String),
}

/// Runs the steps up to TLS one by one: resolving, TCP to each address, the proxy's tunnel, TLS. Nothing is recorded, and
/// no HTTP request is sent to the server.
pub async fn steps(url: &Url, settings: &Settings) -> Vec<StepReport> {
    examine(url, settings, Arc::new(System)).await
}

pub(crate) async fn examine(url: &Url, settings: &Settings, resolver: Arc<dyn Resolve>) -> Vec<StepReport> {
    let mut doctor = Doctor {
        limit: settings.connect_timeout,
        reports: Vec::new(),
    };
    match Connector::new(settings, resolver) {
        Ok(connector) => drop(doctor.examine(url, &connector).await),
        Err(error) => doctor.report(
            Step::Resolve,
            "settings".to_owned(),
            Duration::ZERO,
            Vec::new(),
            Err(Fault::new(
                Step::Resolve,
                format!("{}: {}", error.setting, error.cause),
                error.next,
            )),
        ),
    }
    doctor.reports
}

struct Doctor {
    limit: Duration,
    reports: Vec<StepReport>,
}

impl Doctor {
    /// `None`: a step failed, so the later ones are not run.
    async fn examine(&mut self, url: &Url, connector: &Connector) -> Option<()> {
        let (proxy, (host, port)) = match connector
            .proxies
            .on_the_way_to(url)
            .and_then(|proxy| Ok((proxy, host_and_port(url)?)))
        {
            Ok(found) => found,
            Err(fault) => {
                self.report(
                    fault.step,
                    url.to_string(),
                    Duration::ZERO,
                    Vec::new(),
                    Err(fault),
                );
                return None;
            }
        };
        let addresses = self.resolve(connector, proxy.as_ref(), host, port).await?;
        let stream = self.reach(addresses).await?;
        self.secure(connector, url, proxy, stream).await
    }

    async fn resolve(
        &mut self,
        connector: &Connector,
        proxy: Option<&Proxy>,
        host: &str,
        port: u16,
    ) -> Option<Vec<SocketAddr>> {
        let (host, port) = match proxy {
            Some(proxy) => proxy.address(),
            None => (host, port),
        };
        let begun = Instant::now();
        let found = self.within(Step::Resolve, connector.addresses(host, port)).await;
        let mut facts = Vec::new();
        if let Some(proxy) = proxy {
            facts.push(("proxy", proxy.name()));
        }
        if let Ok(addresses) = &found {
            let list: Vec<String> = addresses.iter().map(|address| address.ip().to_string()).collect();
            facts.push(("addresses", list.join(", ")));
            if literal(host).is_some() {
                facts.push(("resolved", "not needed: the URL has the address".to_owned()));
            }
        }
        let (addresses, outcome) = split(found);
        self.report(Step::Resolve, host.to_owned(), begun.elapsed(), facts, outcome);
        addresses
    }

    /// Tries every address, and returns the first connection.
    async fn reach(&mut self, addresses: Vec<SocketAddr>) -> Option<TcpStream> {
        let mut first = None;
        for address in addresses {
            let begun = Instant::now();
            let connect = async {
                TcpStream::connect(address)
                    .await
                    .map_err(|error| unreachable_fault(&[(address, error)]))
            };
            let (stream, outcome) = split(self.within(Step::Connect, connect).await);
            self.report(
                Step::Connect,
                address.to_string(),
                begun.elapsed(),
                Vec::new(),
                outcome,
            );
            first = first.or(stream);
        }
        first
    }

    async fn secure(
        &mut self,
        connector: &Connector,
        url: &Url,
        proxy: Option<Proxy>,
        stream: TcpStream,
    ) -> Option<()> {
        let (host, port) = host_and_port(url).ok()?;
        let secure = url.scheme() == "https";
        let mut stream = Stream::Tcp(stream);
        if let Some(proxy) = proxy {
            let begun = Instant::now();
            let tunnel = connector.through(&proxy, stream, url);
            let (tunnel, outcome) = split(self.within(Step::Connect, tunnel).await);
            let target = format!("{host}:{port} through {}", proxy.name());
            self.report(Step::Connect, target, begun.elapsed(), Vec::new(), outcome);
            stream = tunnel?;
        }
        let begun = Instant::now();
        if !secure {
            self.reports.push(StepReport {
                step: Step::Tls,
                target: host.to_owned(),
                outcome: Outcome::Skipped("an http:// URL has no TLS".to_owned()),
                took: Duration::ZERO,
                facts: Vec::new(),
            });
            return Some(());
        }
        let agreed = self
            .within(Step::Tls, connector.secure(stream, host, With::Server))
            .await;
        let (agreed, outcome) = split(agreed);
        let facts = match (&agreed, &outcome) {
            (Some((_, tls)), _) => agreed_facts(tls),
            (
                None,
                Err(Fault {
                    tls: Some(problem), ..
                }),
            ) => problem_facts(problem),
            _ => Vec::new(),
        };
        self.report(Step::Tls, host.to_owned(), begun.elapsed(), facts, outcome);
        agreed.map(drop)
    }

    async fn within<T>(&self, step: Step, work: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
        match tokio::time::timeout(self.limit, work).await {
            Ok(done) => done,
            Err(_) => Err(Fault::timed_out(step, self.limit)),
        }
    }

    fn report(
        &mut self,
        step: Step,
        target: String,
        took: Duration,
        facts: Vec<(&'static str, String)>,
        outcome: Result<(), Fault>,
    ) {
        let outcome = match outcome {
            Ok(()) => Outcome::Works,
            Err(Fault { cause, next, tls, .. }) => Outcome::Fails { cause, next, tls },
        };
        self.reports.push(StepReport {
            step,
            target,
            outcome,
            took,
            facts,
        });
    }
}

/// Splits a result into its value and its outcome.
fn split<T>(done: Result<T, Fault>) -> (Option<T>, Result<(), Fault>) {
    match done {
        Ok(made) => (Some(made), Ok(())),
        Err(fault) => (None, Err(fault)),
    }
}

fn agreed_facts(tls: &HttpTls) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("version", tls.version.clone()),
        ("cipher suite", tls.cipher.clone()),
        (
            "protocol",
            tls.alpn.clone().unwrap_or_else(|| "none agreed on".to_owned()),
        ),
        ("certificate", tls.subject.clone()),
        ("issuer", tls.issuer.clone()),
        ("valid until", tls.not_after.clone()),
        ("fingerprint", tls.fingerprint.clone()),
    ];
    if tls.accepted_by_user {
        facts.push((
            "accepted",
            "by its fingerprint, in the settings of this server".to_owned(),
        ));
    }
    facts
}

fn problem_facts(problem: &TlsProblem) -> Vec<(&'static str, String)> {
    vec![
        ("certificate", problem.subject.clone()),
        ("issuer", problem.issuer.clone()),
        ("names", problem.names.join(", ")),
        ("valid from", problem.not_before.clone()),
        ("valid until", problem.not_after.clone()),
        ("fingerprint", problem.fingerprint.clone()),
    ]
}
