//! The OAuth mode: `patchbay-test-server oauth PART` is a protected MCP server and two authorization servers, each on a
//! port of its own. The server's address is the first line of stdout; it serves until stdin ends.
//!
//! Nothing but the part ([`parts::PARTS`]) says how it misbehaves. Where a browser would show a page with a button,
//! consent is given at once. `/seen` at any of the ports tells who asked for what and with which token, by number;
//! `/secrets` tells every value that nobody else may know, `/where` where everybody is. Deliberately not here: login and consent for a real browser
//! (`tests/peers/oidc.mjs`).

mod authorization;
mod enterprise;
mod form;
mod ledger;
mod metadata;
mod parts;
mod resource;
mod tokens;

use std::{
    io::Write as _,
    net::{SocketAddr, TcpListener},
    process::ExitCode,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
};

use crate::http::{answer, harness::Harness, reply::Reply, request::Request, secure, until_unwanted};
use ledger::{Client, Ledger};
use parts::{PARTS, Part};

/// Where a public server says it is: an address of the public internet that nobody is to go to. Tests put a proxy between.
const PUBLIC: &str = "https://1.1.1.1";

/// What the servers of a process share.
struct Stage {
    part: Part,
    /// The protected server's origin.
    resource: String,
    /// Where a public one really is, behind TLS.
    tls: Option<SocketAddr>,
    /// The authorization servers' origins: the one that is used, and another one.
    others: [String; 2],
    ledger: Mutex<Ledger>,
    harness: Harness,
    has_moved: Mutex<bool>,
    /// Lets a held answer go.
    go: mpsc::Sender<()>,
    gone: Mutex<mpsc::Receiver<()>>,
}

/// Names of parts, for the usage.
pub(crate) fn usage() {
    eprintln!("\nparts of a protected server (`oauth PART`):");
    for (_, name, what) in PARTS {
        eprintln!("  {name:20} {what}");
    }
}

/// Serves until stdin ends; none if there is no such part.
pub(crate) fn run(part: &str) -> Option<ExitCode> {
    Some(match serve(Part::named(part)?) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(1)
        }
    })
}

fn serve(part: Part) -> std::io::Result<()> {
    let listen = || TcpListener::bind("127.0.0.1:0");
    let (resource, first, second) = (listen()?, listen()?, listen()?);
    let origin =
        |listener: &TcpListener| Ok::<_, std::io::Error>(format!("http://{}", listener.local_addr()?));
    let address = resource.local_addr()?;
    let (go, gone) = mpsc::channel();
    let is_public = matches!(part, Part::Public | Part::PublicIssuer);
    let stage = Arc::new(Stage {
        part,
        resource: if is_public {
            PUBLIC.to_owned()
        } else {
            origin(&resource)?
        },
        tls: is_public.then(|| secure::in_front_of(address)).transpose()?,
        others: [origin(&first)?, origin(&second)?],
        ledger: Mutex::default(),
        harness: Harness::new(address),
        has_moved: Mutex::default(),
        go,
        gone: Mutex::new(gone),
    });
    stage.ledger().add_client(Client {
        id: "known-client".to_owned(),
        secret: Some("known-secret-0123456789".to_owned()),
        redirect_uris: Vec::new(),
    });
    writeln!(std::io::stdout(), "http://{address}/mcp")?;
    play(resource, &stage, resource::serve);
    for (listener, which) in [(first, 0), (second, 1)] {
        play(listener, &stage, move |stage, request, reply| {
            authorization::serve(stage, which, request, reply);
        });
    }
    until_unwanted()
}

/// Answers at a port; what tests ask for is answered at every one.
fn play(
    listener: TcpListener,
    stage: &Arc<Stage>,
    serve: impl Fn(&Stage, &Request, &mut Reply) + Send + Sync + 'static,
) {
    let stage = Arc::clone(stage);
    answer(listener, move |request, reply| match &*request.path {
        "/seen" => reply.text(200, "text/plain", &stage.harness.seen()),
        "/secrets" => reply.text(200, "text/plain", &stage.ledger().secrets()),
        "/where" => reply.text(200, "text/plain", &stage.whereabouts()),
        "/go" => {
            let _ = stage.go.send(());
            reply.empty(200);
        }
        _ => serve(&stage, request, reply),
    });
}

impl Stage {
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_moved(&self) -> MutexGuard<'_, bool> {
        self.has_moved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the test lets it go on.
    fn hold(&self) {
        let _ = self.gone.lock().unwrap_or_else(PoisonError::into_inner).recv();
    }

    /// The authorization servers' origins, and where a public server really is: a line each.
    fn whereabouts(&self) -> String {
        let tls = self.tls.map(|address| address.to_string()).unwrap_or_default();
        format!("{}\n{}\n{tls}", self.others[0], self.others[1])
    }

    /// The protected resource.
    fn resource(&self) -> String {
        format!("{}/mcp", self.resource)
    }

    /// An authorization server's issuer.
    fn issuer(&self, which: usize) -> String {
        let origin = self.others.get(which).unwrap_or(&self.resource);
        match self.part {
            Part::Old | Part::OldDefaults | Part::PublicIssuer => self.resource.clone(),
            Part::OpenId => format!("{origin}/tenant"),
            _ => origin.clone(),
        }
    }

    /// `as GET /authorize scope=…`: the server, what was asked, and more of it, without what differs each time.
    fn saw(&self, server: &str, request: &Request, more: &str) {
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
