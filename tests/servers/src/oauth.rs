//! The OAuth mode: `patchbay-test-server oauth PART` is a protected MCP server and two authorization servers, each on a
//! port of its own. The server's address is the first line of stdout; it serves until stdin ends.
//!
//! Nothing but the part ([`parts::PARTS`]) says how it misbehaves. Where a browser would show a page with a button,
//! consent is given at once. `/seen` at any of the ports tells who asked for what and with which token, by number;
//! `/secrets` tells every value that nobody else may know. Deliberately not here: login and consent for a real browser
//! (`tests/peers/oidc.mjs`).

mod authorization;
mod form;
mod ledger;
mod metadata;
mod parts;
mod resource;
mod tokens;

use std::{
    io::Write as _,
    net::TcpListener,
    process::ExitCode,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::http::{answer, reply::Reply, request::Request, until_unwanted, world::World};
use ledger::{Client, Ledger};
use parts::{PARTS, Part};

/// What the servers of a process share.
struct Stage {
    part: Part,
    /// The protected server's origin.
    resource: String,
    /// The authorization servers' origins: the one that is used, and another one.
    others: [String; 2],
    ledger: Mutex<Ledger>,
    world: World,
    has_moved: Mutex<bool>,
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
    let stage = Arc::new(Stage {
        part,
        resource: origin(&resource)?,
        others: [origin(&first)?, origin(&second)?],
        ledger: Mutex::default(),
        world: World::new(resource.local_addr()?),
        has_moved: Mutex::default(),
    });
    stage.ledger().add_client(Client {
        id: "known-client".to_owned(),
        secret: Some("known-secret-0123456789".to_owned()),
        redirect_uris: Vec::new(),
    });
    writeln!(std::io::stdout(), "{}/mcp", stage.resource)?;
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
        "/seen" => reply.text(200, "text/plain", &stage.world.seen()),
        "/secrets" => reply.text(200, "text/plain", &stage.ledger().secrets()),
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

    /// The protected resource.
    fn resource(&self) -> String {
        format!("{}/mcp", self.resource)
    }

    /// An authorization server's issuer.
    fn issuer(&self, which: usize) -> String {
        let origin = self.others.get(which).unwrap_or(&self.resource);
        match self.part {
            Part::Old | Part::OldDefaults => self.resource.clone(),
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
        self.world.note(&text.replace(&self.others[1], "http://as2"));
    }
}
