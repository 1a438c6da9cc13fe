//! A program that is run to its end beside a server: a build.

use std::{path::Path, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    time::Instant,
};

use super::{DRAIN, Exit, StdioConfig, at, command, exited, process::Process, program};
use crate::Failure;

/// How long the program gets to react to SIGTERM when it is ended.
const GRACE: Duration = Duration::from_secs(1);
/// How much is read at once, in bytes.
const CHUNK: usize = 8 * 1024;

/// Runs a program as servers are run (in its folder, with its variables, in a group that the guardian knows) but without
/// input, and returns how it ended: none if it did not end within `limit`. `on_output` gets what it prints to stdout and
/// stderr, as it comes.
///
/// The program and all that it started are ended then: when it has exited, after `limit`, and when the future is dropped.
///
/// # Errors
/// It could not be started.
pub async fn run_to_end(
    config: &StdioConfig,
    limit: Duration,
    mut on_output: impl FnMut(&[u8]),
) -> Result<Option<Exit>, Failure> {
    let (command, info) = command::prepare(config).map_err(|error| error.failure)?;
    let (process, pipes) = Process::start(command, GRACE).map_err(|error| {
        let program = info.resolved.as_deref().unwrap_or(Path::new(""));
        program::spawn_failure(program, &error)
    })?;
    let mut process = Ending(process);
    drop(pipes.stdin);
    let (mut stdout, mut stderr) = (Some(pipes.stdout), Some(pipes.stderr));
    let (mut from_stdout, mut from_stderr) = (vec![0; CHUNK], vec![0; CHUNK]);
    let deadline = Instant::now() + limit;
    let (mut exit, mut drain_until) = (None, None);
    while exit.is_none() || stdout.is_some() || stderr.is_some() {
        tokio::select! {
            part = part(&mut stdout, &mut from_stdout), if stdout.is_some() => on_output(part),
            part = part(&mut stderr, &mut from_stderr), if stderr.is_some() => on_output(part),
            ended = exited(Some(&mut process.0)), if exit.is_none() => {
                exit = Some(ended);
                // What it left running may hold the pipes.
                drain_until = Some(Instant::now() + DRAIN);
            }
            () = at(drain_until) => break,
            () = at(Some(deadline)), if exit.is_none() => break,
        }
    }
    process.0.end(Duration::ZERO);
    process.0.gone().await;
    Ok(exit)
}

/// A program that is asked to end at once when nobody waits for it any more.
struct Ending(Process);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.end(Duration::ZERO);
    }
}

/// What comes next from a pipe; at its end nothing, and the pipe is gone. Cancel safe.
async fn part<'a>(pipe: &mut Option<impl AsyncRead + Unpin>, room: &'a mut [u8]) -> &'a [u8] {
    let read = match pipe {
        Some(open) => open.read(room).await.unwrap_or_default(),
        None => 0,
    };
    if read == 0 {
        *pipe = None;
    }
    room.get(..read).unwrap_or_default()
}
