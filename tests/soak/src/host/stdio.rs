//! Servers behind a bridge.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream, tcp::OwnedWriteHalf};

use super::{Host, Pipe, Server, lock};
use crate::random::Random;
use crate::script::behaviour::{self, Behaviour, Step};

pub(super) async fn listen(host: Arc<Host>, listener: TcpListener) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(talk(host.clone(), stream));
    }
}

async fn talk(host: Arc<Host>, stream: TcpStream) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let (from, to) = stream.into_split();
    let mut from = BufReader::new(from);
    let mut key = String::new();
    from.read_line(&mut key).await.ok()?;
    let server = host.find(key.trim())?;
    let process = {
        let mut crossed = lock(&server.crossed);
        crossed.processes.push(Pipe::default());
        crossed.processes.len() - 1
    };
    let part = server.parts.fetch_add(1, Ordering::SeqCst);
    let mut out = Out {
        to,
        server: server.clone(),
        process,
        random: server.script.random(100 + part),
    };
    let mut behaviour = Behaviour::new(server.script.clone(), server.schemas.clone(), part);
    let mut unread = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = from.read(&mut buffer).await.unwrap_or(0);
        if read == 0 {
            break;
        }
        lock(&server.crossed).processes[process]
            .received
            .extend(&buffer[..read]);
        unread.extend(&buffer[..read]);
        let whole = unread
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let lines: Vec<u8> = unread.drain(..whole).collect();
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            let message = serde_json::from_slice(line).unwrap_or_default();
            if server.is_fair() {
                if let Some(answer) = behaviour::fair(server.script.revision, &message) {
                    out.line(&answer, false).await?;
                }
                continue;
            }
            for step in behaviour.receive(&message) {
                match step {
                    Step::Frame(bytes) => out.frame(&bytes).await?,
                    Step::Pause(time) => tokio::time::sleep(Duration::from_millis(time)).await,
                    Step::Stderr(bytes) => out.packet(b'e', &bytes).await?,
                    Step::End => return out.end().await,
                }
            }
        }
    }
    Some(())
}

/// The way to the process.
struct Out {
    to: OwnedWriteHalf,
    server: Arc<Server>,
    process: usize,
    random: Random,
}

impl Out {
    async fn packet(&mut self, kind: u8, bytes: &[u8]) -> Option<()> {
        let mut packet = vec![kind];
        packet.extend(u32::try_from(bytes.len()).ok()?.to_le_bytes());
        packet.extend(bytes);
        if kind == b'o' {
            lock(&self.server.crossed).processes[self.process]
                .sent
                .extend(bytes);
        }
        self.to.write_all(&packet).await.ok()
    }

    /// A frame and its end, in one of many ways.
    async fn frame(&mut self, bytes: &[u8]) -> Option<()> {
        let is_cut = self.random.chance(self.server.script.carriage);
        self.line(bytes, is_cut).await
    }

    async fn line(&mut self, bytes: &[u8], cut: bool) -> Option<()> {
        let mut line = bytes.to_vec();
        line.push(b'\n');
        if !cut {
            return self.packet(b'o', &line).await;
        }
        match self.random.below(6) {
            // In pieces.
            0 | 1 => {
                let most = 1 + line.len() / 8;
                let mut rest = &*line;
                while !rest.is_empty() {
                    let (piece, after) = rest.split_at(1 + self.random.below(most.min(rest.len())));
                    self.packet(b'o', piece).await?;
                    tokio::time::sleep(Duration::from_millis(self.random.below(4) as u64)).await;
                    rest = after;
                }
                Some(())
            }
            // Together with what follows.
            2 => self.packet(b'o', bytes).await,
            3 => self.packet(b'o', &[&*line, b"\r\n\n"].concat()).await,
            4 => {
                let half = self.random.below(line.len());
                self.packet(b'o', &line[..half]).await?;
                self.end().await
            }
            _ => self.packet(b'o', &[bytes, b"\r\n"].concat()).await,
        }
    }

    /// Ends the process, and this conversation.
    async fn end(&mut self) -> Option<()> {
        lock(&self.server.crossed).processes[self.process].ended = true;
        let code = self.random.below(3) as u8;
        self.packet(b'x', &[code]).await?;
        None
    }
}
