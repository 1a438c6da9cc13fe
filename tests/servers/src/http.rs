//! The HTTP face: `patchbay-test-server http FACE` listens on a free port of the loopback, says its address on the first
//! line of stdout and serves until stdin ends.
//!
//! Bytes are written by hand, a thread for each connection: what a server library would never send is what this one is
//! for. The face decides how it begins ([`faces::FACES`]), the called tool how it goes on ([`calls::CALLS`]).

mod calls;
mod faces;
mod reply;
mod request;
mod world;

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    process::ExitCode,
    sync::Arc,
};

use faces::{FACES, Face};
use reply::Reply;
use request::Request;
use world::World;

/// Names of faces and of tools, for the usage.
pub(crate) fn usage() {
    eprintln!("\nfaces (`http FACE`):");
    for face in FACES {
        eprintln!("  {:18} {}", face.name, face.what);
    }
    eprintln!("\ntools over HTTP:");
    for call in calls::CALLS {
        eprintln!("  {:18} {}", call.name, call.what);
    }
}

/// Serves until stdin ends; none if there is no such face.
pub(crate) fn run(face: &str) -> Option<ExitCode> {
    let face = FACES.iter().find(|known| known.name == face)?;
    Some(match serve(face) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(1)
        }
    })
}

fn serve(face: &'static Face) -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    writeln!(std::io::stdout(), "http://{address}{}", face.path)?;
    let world = Arc::new(World::new(address));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let world = Arc::clone(&world);
            std::thread::spawn(move || talk(face, stream, &world));
        }
    });
    // Whoever started us holds our stdin for as long as they want us.
    let mut rest = Vec::new();
    std::io::stdin().read_to_end(&mut rest).map(drop)
}

/// Answers one request after the other on a connection.
fn talk(face: &Face, stream: std::net::TcpStream, world: &World) {
    let Ok(mut incoming) = stream.try_clone().map(std::io::BufReader::new) else {
        return;
    };
    let mut reply = Reply::new(stream);
    while let Some(request) = Request::read(&mut incoming) {
        if request.path == "/seen" {
            reply.text(200, "text/plain", &world.seen());
        } else {
            world.saw(&request);
            (face.serve)(&request, &mut reply, world);
        }
        if reply.is_over() {
            return;
        }
    }
}
