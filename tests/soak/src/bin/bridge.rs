//! Connects stdin, stdout and stderr of this process with a server in another process: `patchbay-soak-bridge ADDRESS KEY`.
//!
//! What arrives on stdin is passed on as it is. The other direction has packets: a kind, a length, bytes.

use std::io::{self, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::exit;

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(address), Some(key)) = (args.next(), args.next()) else {
        eprintln!("usage: patchbay-soak-bridge ADDRESS KEY");
        exit(2);
    };
    let mut server = TcpStream::connect(address)?;
    server.set_nodelay(true)?;
    writeln!(server, "{key}")?;
    let mut to = server.try_clone()?;
    #[expect(clippy::disallowed_methods, reason = "it ends with this process")]
    std::thread::spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut to);
        let _ = to.shutdown(Shutdown::Write);
    });
    let mut from = BufReader::new(server);
    let mut head = [0; 5];
    let mut bytes = Vec::new();
    while from.read_exact(&mut head).is_ok() {
        let [kind, length @ ..] = head;
        bytes.resize(u32::from_le_bytes(length) as usize, 0);
        from.read_exact(&mut bytes)?;
        match kind {
            b'o' => {
                let mut out = io::stdout().lock();
                out.write_all(&bytes)?;
                out.flush()?;
            }
            b'e' => io::stderr().write_all(&bytes)?,
            _ => exit(bytes.first().copied().unwrap_or_default().into()),
        }
    }
    exit(0)
}
