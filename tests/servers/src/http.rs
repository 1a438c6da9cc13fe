//! The HTTP mode: `patchbay-test-server http BEHAVIOUR` listens on a free port of the loopback, prints its address as the
//! first line of stdout and serves until stdin ends; `https BEHAVIOUR` does so with a self-signed certificate.
//!
//! Bytes are written by hand, with a thread per connection, because a server library would never send malformed responses.
//! The behaviour decides the handshake ([`behaviours::BEHAVIOURS`]), the called tool the rest ([`calls::CALLS`]).

pub(crate) mod behaviours;
mod calls;
pub mod form;
pub(crate) mod harness;
pub mod reply;
pub mod request;
pub(crate) mod secure;

use std::{
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::ExitCode,
    sync::Arc,
};

use behaviours::{BEHAVIOURS, HttpBehaviour};
use harness::Harness;
use reply::Reply;
use request::Request;

/// The layer around the bytes.
#[derive(Clone, Copy)]
pub(crate) enum Wrapping {
    None,
    Tls,
}

/// The names of all behaviours, from the table that a server is started from.
pub fn behaviours() -> impl Iterator<Item = &'static str> {
    BEHAVIOURS.iter().map(|behaviour| behaviour.name)
}

/// The names of all tools over HTTP, from the table that a call is served from.
pub fn tools() -> impl Iterator<Item = &'static str> {
    calls::CALLS.iter().map(|call| call.name)
}

/// The names of behaviours and tools, with what they do, for the usage message.
pub(crate) fn usage() {
    eprintln!("\nbehaviours (`http BEHAVIOUR`, `https BEHAVIOUR`):");
    for behaviour in BEHAVIOURS {
        eprintln!("  {:18} {}", behaviour.name, behaviour.what);
    }
    eprintln!("\ntools over HTTP:");
    for call in calls::CALLS {
        eprintln!("  {:18} {}", call.name, call.what);
    }
}

/// Serves until stdin ends; none if there is no such behaviour.
pub(crate) fn run(behaviour: &str, wrapping: Wrapping) -> Option<ExitCode> {
    let behaviour = BEHAVIOURS.iter().find(|known| known.name == behaviour)?;
    Some(match serve(behaviour, wrapping) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(1)
        }
    })
}

fn serve(behaviour: &'static HttpBehaviour, wrapping: Wrapping) -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let harness = Harness::new(address);
    let origin = match wrapping {
        Wrapping::None => format!("http://{address}"),
        Wrapping::Tls => format!("https://{}", secure::in_front_of(address)?),
    };
    writeln!(std::io::stdout(), "{origin}{}", behaviour.path)?;
    answer(listener, move |request, reply| {
        if request.path == "/seen" {
            reply.text(200, "text/plain", &harness.seen());
        } else {
            harness.saw(request);
            (behaviour.serve)(request, reply, &harness);
        }
    });
    until_unwanted()
}

/// Serves connections, with a thread each.
pub(crate) fn answer(listener: TcpListener, serve: impl Fn(&Request, &mut Reply) + Send + Sync + 'static) {
    let serve = Arc::new(serve);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = Arc::clone(&serve);
            std::thread::spawn(move || talk(stream, &*serve));
        }
    });
}

/// The parent process holds our stdin as long as it needs the server.
pub(crate) fn until_unwanted() -> std::io::Result<()> {
    std::io::stdin().read_to_end(&mut Vec::new()).map(drop)
}

/// Serves the requests of a connection.
fn talk(stream: TcpStream, serve: &dyn Fn(&Request, &mut Reply)) {
    let Ok(mut incoming) = stream.try_clone().map(std::io::BufReader::new) else {
        return;
    };
    let mut reply = Reply::new(stream);
    while let Some(request) = Request::read(&mut incoming) {
        serve(&request, &mut reply);
        if reply.is_over() {
            return;
        }
    }
}
