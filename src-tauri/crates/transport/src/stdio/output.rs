//! What a program prints: for a program that is run for its output and not as a server.

use std::{
    ffi::OsStr,
    io,
    process::{ExitStatus, Stdio as Pipe},
    time::Duration,
};

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    process::{ChildStderr, ChildStdout, Command},
    time::timeout,
};

use super::Environment;

/// The most that is kept of stderr, for the error, in bytes: its end, where the cause is.
const STDERR_LIMIT: usize = 2048;
/// How long a killed program may take to be gone.
const REAPED_WITHIN: Duration = Duration::from_secs(1);

/// A program without input, whose output is read. It is killed when this is dropped, and all it started with it.
pub(super) struct Running {
    child: Box<dyn ChildWrapper>,
    is_killed: bool,
}

/// Starts a program.
pub(super) fn start(mut command: Command) -> io::Result<Running> {
    command
        .stdin(Pipe::null())
        .stdout(Pipe::piped())
        .stderr(Pipe::piped())
        .kill_on_drop(true);
    let mut wrap = CommandWrap::from(command);
    // Its own session: it must not use a terminal that we may have, and what it starts ends with it.
    #[cfg(unix)]
    wrap.wrap(process_wrap::tokio::ProcessSession);
    #[cfg(windows)]
    super::job::own(&mut wrap);
    Ok(Running {
        child: wrap.spawn()?,
        is_killed: false,
    })
}

impl Running {
    /// Takes its stdout and stderr.
    pub(super) fn pipes(&mut self) -> (Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdout().take(), self.child.stderr().take())
    }

    /// Waits until it has ended.
    pub(super) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Kills it and what it left running, and waits until it is gone. What does not end at once is left to the runtime to reap.
    pub(super) async fn kill(&mut self) {
        self.start_kill();
        let _ = timeout(REAPED_WITHIN, self.wait()).await;
    }

    /// Only once: its group may then be gone, and its number in use for another one.
    fn start_kill(&mut self) {
        if !std::mem::replace(&mut self.is_killed, true) {
            // The only error is that nobody is left.
            let _ = self.child.start_kill();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.start_kill();
    }
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
    let (stdout, stderr) = child.pipes();
    let read = async {
        let (output, words) = tokio::join!(all(stdout, most + 1), end(stderr, STDERR_LIMIT));
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
    child.kill().await;
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

/// The end of what a pipe holds. It is read to its end, because a program that writes to a closed pipe is killed.
async fn end(pipe: Option<impl AsyncRead + Unpin>, most: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(most * 2);
    if let Some(mut pipe) = pipe {
        while matches!(pipe.read_buf(&mut bytes).await, Ok(read) if read > 0) {
            let surplus = bytes.len().saturating_sub(most);
            bytes.drain(..surplus);
        }
    }
    bytes
}

#[cfg(test)]
mod tests;
