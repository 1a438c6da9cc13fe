//! What a program prints: for a program that is run for its output and not as a server.

use std::{ffi::OsStr, io, process::Stdio as Pipe, time::Duration};

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    process::Command,
    time::timeout,
};

use super::Environment;

/// The most that is kept of stderr, for the error, in bytes.
const STDERR_LIMIT: u64 = 2048;
/// How long a killed program may take to be gone.
const REAPED_WITHIN: Duration = Duration::from_secs(1);

/// Starts a program without input, whose output is read. It is killed when its handle is dropped.
pub(super) fn start(mut command: Command) -> io::Result<Box<dyn ChildWrapper>> {
    command
        .stdin(Pipe::null())
        .stdout(Pipe::piped())
        .stderr(Pipe::piped())
        .kill_on_drop(true);
    let mut wrap = CommandWrap::from(command);
    // Its own session: it must not use a terminal that we may have, and what it starts ends with it.
    #[cfg(unix)]
    wrap.wrap(process_wrap::tokio::ProcessSession);
    wrap.spawn()
}

/// Runs a program without input and returns its stdout, at most `most` bytes. The program and all it started are killed
/// after `limit`, and when the future is dropped.
///
/// # Errors
/// It could not be started, failed, printed more or did not end in time; the error is the rest of a sentence that begins
/// with the program's name, and holds nothing of its stdout.
pub async fn output_of(
    program: &str,
    args: &[String],
    environment: &Environment,
    limit: Duration,
    most: u64,
) -> Result<Vec<u8>, String> {
    let mut command = Command::new(OsStr::new(program));
    command
        .args(args)
        .env_clear()
        .envs(environment.vars.iter().map(|(name, value)| (name, value)));
    let mut child = start(command).map_err(|error| format!("could not be started: {error}."))?;
    let (stdout, stderr) = (child.stdout().take(), child.stderr().take());
    let read = async {
        let (output, words) = tokio::join!(all(stdout, most + 1), all(stderr, STDERR_LIMIT));
        if output.len() as u64 > most {
            return Err(format!("printed more than {most} bytes."));
        }
        let status = child
            .wait()
            .await
            .map_err(|error| format!("could not be waited for: {error}."))?;
        match status.success() {
            true => Ok(output),
            false => {
                let words = String::from_utf8_lossy(&words);
                Err(format!("failed ({status}): {}", words.trim()))
            }
        }
    };
    let read = timeout(limit, read).await;
    // What it left running ends too; what does not end at once is left to the runtime to reap.
    let _ = child.start_kill();
    let _ = timeout(REAPED_WITHIN, child.wait()).await;
    read.unwrap_or_else(|_| Err(format!("did not end within {} s.", limit.as_secs_f32())))
}

/// What a pipe holds, up to a limit. Reading stops there: a program that prints more is killed.
async fn all(pipe: Option<impl AsyncRead + Unpin>, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        // A pipe that breaks ends the output.
        let _ = pipe.take(most).read_to_end(&mut bytes).await;
    }
    bytes
}

#[cfg(test)]
mod tests;
