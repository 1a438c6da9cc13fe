//! The HTTP face: `patchbay-test-server http FACE` listens on a free port of the loopback, says its address on the first
//! line of stdout and serves until stdin ends; `https FACE` does it behind a certificate that nobody vouches for.
//!
//! Bytes are written by hand, a thread for each connection: what a server library would never send is what this one is
//! for. The face decides how it begins ([`faces::FACES`]), the called tool how it goes on ([`calls::CALLS`]).

mod calls;
pub(crate) mod faces;
pub(crate) mod reply;
pub(crate) mod request;
pub(crate) mod secure;
pub(crate) mod world;

use std::{
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::ExitCode,
    sync::Arc,
};

use faces::{FACES, Face};
use reply::Reply;
use request::Request;
use world::World;

/// What is around the bytes.
#[derive(Clone, Copy)]
pub(crate) enum Wrapping {
    None,
    Tls,
}

/// Names of faces and of tools, for the usage.
pub(crate) fn usage() {
    eprintln!("\nfaces (`http FACE`, `https FACE`):");
    for face in FACES {
        eprintln!("  {:18} {}", face.name, face.what);
    }
    eprintln!("\ntools over HTTP:");
    for call in calls::CALLS {
        eprintln!("  {:18} {}", call.name, call.what);
    }
}

/// Serves until stdin ends; none if there is no such face.
pub(crate) fn run(face: &str, wrapping: Wrapping) -> Option<ExitCode> {
    let face = FACES.iter().find(|known| known.name == face)?;
    Some(match serve(face, wrapping) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(1)
        }
    })
}

fn serve(face: &'static Face, wrapping: Wrapping) -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let world = World::new(address);
    let origin = match wrapping {
        Wrapping::None => format!("http://{address}"),
        Wrapping::Tls => format!("https://{}", secure::in_front_of(address)?),
    };
    writeln!(std::io::stdout(), "{origin}{}", face.path)?;
    answer(listener, move |request, reply| {
        if request.path == "/seen" {
            reply.text(200, "text/plain", &world.seen());
        } else {
            world.saw(request);
            (face.serve)(request, reply, &world);
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

/// Whoever started us holds our stdin for as long as they want us.
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
