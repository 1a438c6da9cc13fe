//! The HTTP behaviour: `patchbay-test-server http BEHAVIOUR` listens on a free port of the loopback, says its address on the first
//! line of stdout and serves until stdin ends; `https BEHAVIOUR` does it behind a certificate that nobody vouches for.
//!
//! Bytes are written by hand, a thread for each connection: what a server library would never send is what this one is
//! for. The behaviour decides how it begins ([`behaviours::BEHAVIOURS`]), the called tool how it goes on ([`calls::CALLS`]).

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

/// What is around the bytes.
#[derive(Clone, Copy)]
pub(crate) enum Wrapping {
    None,
    Tls,
}

/// Names of behaviours and of tools, for the usage.
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

/// Answers what comes in, a thread for each connection.
pub(crate) fn answer(listener: TcpListener, serve: impl Fn(&Request, &mut Reply) + Send + Sync + 'static) {
    let serve = Arc::new(serve);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = Arc::clone(&serve);
            std::thread::spawn(move || talk(stream, &*serve));
        }
    });
}

/// Anyone who started us holds our stdin for as long as they want us.
pub(crate) fn until_unwanted() -> std::io::Result<()> {
    std::io::stdin().read_to_end(&mut Vec::new()).map(drop)
}

/// Answers one request after the other on a connection.
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
