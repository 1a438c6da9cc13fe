//! The servers of one variant within this process, with controls for tests.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::{Arc, Mutex},
};

use serde_json::Value;

use super::{
    authorization,
    ledger::Client,
    metadata, resource,
    servers::{Servers, locked},
    variants::Variant,
};
use crate::http::{
    answer,
    reply::{Reply, Whole},
    request::Request,
    secure,
};

/// A test's replacement for a response.
type Override = Box<dyn Fn(&Request) -> Option<Whole> + Send>;

/// A protected MCP server and its authorization servers, running until the process ends.
#[derive(Clone)]
pub struct Provider {
    servers: Arc<Servers>,
    log: Arc<Log>,
}

/// Every request, and a test's replacement for responses.
#[derive(Default)]
struct Log {
    requests: Mutex<Vec<Request>>,
    instead: Mutex<Option<Override>>,
}

impl Provider {
    /// Listens on three free ports of the loopback.
    ///
    /// No port is free, or no certificate can be created for a variant with TLS.
    /// If no port is free, or no certificate can be made for a variant behind TLS.
    pub fn start(variant: Variant) -> io::Result<Self> {
        let listen = || TcpListener::bind("127.0.0.1:0");
        let (protected, first, second) = (listen()?, listen()?, listen()?);
        let address = protected.local_addr()?;
        let tls = variant
            .is_public()
            .then(|| secure::in_front_of(address))
            .transpose()?;
        let others = [first.local_addr()?, second.local_addr()?];
        let provider = Self {
            servers: Arc::new(Servers::new(variant, address, tls, others)),
            log: Arc::default(),
        };
        provider.add_client("known-client", Some("known-secret-0123456789"));
        provider.listen(protected, resource::serve);
        for (listener, which) in [(first, 0), (second, 1)] {
            provider.listen(listener, move |servers, request, reply| {
                authorization::serve(servers, which, request, reply);
            });
        }
        Ok(provider)
    }

    /// Serves a port; the pages for tests are available on every port.
    fn listen(
        &self,
        listener: TcpListener,
        serve: impl Fn(&Servers, &Request, &mut Reply) + Send + Sync + 'static,
    ) {
        let (servers, log) = (Arc::clone(&self.servers), Arc::clone(&self.log));
        answer(listener, move |request, reply| match &*request.path {
            "/seen" => reply.text(200, "text/plain", &servers.harness.seen()),
            "/secrets" => reply.text(200, "text/plain", &servers.ledger().secrets()),
            "/where" => reply.text(200, "text/plain", &servers.addresses()),
            "/go" => {
                let _ = servers.release.send(());
                reply.empty(200);
            }
            _ => {
                locked(&log.requests).push(request.clone());
                let instead = locked(&log.instead).as_ref().and_then(|answer| answer(request));
                match instead {
                    Some(Whole(status, headers, body)) => reply.whole(status, &headers, body.as_bytes()),
                    None => serve(&servers, request, reply),
                }
            }
        });
    }

    /// The URL of the protected server on the loopback.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://{}/mcp", self.socket())
    }

    /// A URL at the protected server's port.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.socket())
    }

    fn socket(&self) -> SocketAddr {
        self.servers.harness.address
    }

    /// The issuer of authorization server 0, which is used, or 1, the other one.
    #[must_use]
    pub fn issuer(&self, which: usize) -> String {
        self.servers.issuer(which)
    }

    /// From now on, requests get the response that `answer` returns; if it returns `None`, that of the servers.
    pub fn answer_instead(&self, answer: impl Fn(&Request) -> Option<Whole> + Send + 'static) {
        *locked(&self.log.instead) = Some(Box::new(answer));
    }

    /// Every request so far, at any of the ports.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        locked(&self.log.requests).clone()
    }

    /// Adds a client as if it had registered, with any redirect URI of the loopback.
    pub fn add_client(&self, id: &str, secret: Option<&str>) {
        self.servers.ledger().add_client(Client {
            id: id.to_owned(),
            secret: secret.map(str::to_owned),
            redirect_uris: Vec::new(),
        });
    }

    /// Sets the resource in the metadata, if it differs from the server's address.
    pub fn publish_resource(&self, resource: &str) {
        *locked(&self.servers.published) = Some(resource.to_owned());
    }

    /// The metadata of the protected resource (RFC 9728).
    #[must_use]
    pub fn resource_metadata(&self) -> Value {
        resource::metadata_of(&self.servers)
    }

    /// The metadata of the used authorization server (RFC 8414).
    #[must_use]
    pub fn server_metadata(&self) -> Value {
        metadata::metadata_of(&self.servers, 0)
    }

    /// The access tokens so far, oldest first.
    #[must_use]
    pub fn access_tokens(&self) -> Vec<String> {
        self.servers.ledger().access_tokens()
    }

    /// The refresh tokens so far, oldest first.
    #[must_use]
    pub fn refresh_tokens(&self) -> Vec<String> {
        self.servers.ledger().refresh_tokens()
    }

    /// All secret values.
    #[must_use]
    pub fn secrets(&self) -> Vec<String> {
        let lines = self.servers.ledger().secrets();
        let values = lines.lines().filter_map(|line| line.split_once(' '));
        values.map(|(_, value)| value.to_owned()).collect()
    }
}
