//! How a server's side ended, with messages for the user.

use crate::{Exit, Failure, NotRecorded};

/// The end of a link: nothing more will arrive from the server.
#[derive(Debug, Clone)]
pub struct Ended {
    /// The exit status of the process, if it has exited.
    pub exit: Option<Exit>,
    /// The cause, unless it was the exit itself.
    pub(crate) cause: Option<Cause>,
    /// The number of frames that the server never read from its stdin.
    pub unwritten: usize,
    /// The last lines of stderr.
    pub stderr: Vec<String>,
}

/// The cause of the end, from our point of view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cause {
    StdoutClosed,
    Read(String),
    Write(String),
    LineTooLong(usize),
    Store(String),
    /// Closed by us without a problem.
    Closed,
    /// Another failure.
    Failed(Failure),
}

impl From<NotRecorded> for Cause {
    fn from(NotRecorded(why): NotRecorded) -> Self {
        Self::Store(why)
    }
}

impl Cause {
    /// Whether pending input can be discarded.
    pub(crate) fn is_immediate(&self) -> bool {
        matches!(self, Self::LineTooLong(_) | Self::Store(_))
    }

    pub(crate) fn words(&self, step: &'static str) -> Failure {
        const SEE_LOG: &str = "Check the server's output, then connect again.";
        match self {
            Self::StdoutClosed => Failure::new(
                step,
                "The server closed its stdout, but its process did not end.",
                SEE_LOG,
            ),
            Self::Read(error) => Failure::new(
                step,
                format!("The server's stdout cannot be read: {error}."),
                SEE_LOG,
            ),
            Self::Write(error) => {
                Failure::new(step, format!("The server closed its stdin: {error}."), SEE_LOG)
            }
            Self::LineTooLong(limit) => Failure::new(
                step,
                format!(
                    "The server wrote more than {} without ending the line.",
                    size(*limit)
                ),
                "Make the server answer in smaller messages; the line's beginning is in the log.",
            ),
            Self::Store(problem) => Failure::new(
                "Record the traffic",
                format!("Nothing may cross unrecorded, and {problem}."),
                "Free some space on the disk, or clear the log, then connect again.",
            ),
            Self::Closed => Failure::new(step, "The connection was closed.", "Connect again."),
            Self::Failed(failure) => failure.clone(),
        }
    }
}

impl Ended {
    /// Closed on request with [`crate::Link::close`], without a problem.
    #[must_use]
    pub fn closed() -> Self {
        Self::of(Cause::Closed)
    }

    /// Ended by a failure.
    #[must_use]
    pub fn failed(failure: Failure) -> Self {
        Self::of(Cause::Failed(failure))
    }

    /// For a peer that is not a process.
    pub(crate) fn of(cause: Cause) -> Self {
        Self {
            exit: None,
            cause: Some(cause),
            unwritten: 0,
            stderr: Vec::new(),
        }
    }

    /// The failure for the user. `step` is the action in progress.
    #[must_use]
    pub fn failure(&self, step: &'static str) -> Failure {
        let mut failure = match (&self.cause, self.exit) {
            (Some(cause @ (Cause::LineTooLong(_) | Cause::Store(_))), _) | (Some(cause), None) => {
                cause.words(step)
            }
            (_, Some(Exit::Code(code))) => Failure::new(
                step,
                format!("The server exited with code {code}."),
                if self.stderr.is_empty() {
                    "It wrote nothing to stderr. Run it in a terminal to see why."
                } else {
                    "Check its stderr below."
                },
            ),
            (_, Some(exit @ Exit::Signal(_))) => Failure::new(
                step,
                format!("The server was ended by {exit}."),
                "Find out who or what ended it, then connect again.",
            ),
            (None, None) => Failure::new(step, "The server's output ended.", "Connect again."),
        };
        if !self.stderr.is_empty() {
            failure.detail = Some(self.stderr.join("\n"));
        }
        failure
    }

    /// Whether the cause is on our side: the store.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        matches!(self.cause, Some(Cause::Store(_)))
    }

    /// A one-line summary for the log.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut text = match (&self.cause, self.exit) {
            (_, Some(exit)) => format!("Process ended: {exit}"),
            (Some(Cause::Closed), None) => "Closed".to_owned(),
            (Some(cause), None) => cause.words("").cause,
            (None, None) => "The server's output ended".to_owned(),
        };
        if self.unwritten > 0 {
            text.push_str(&format!(
                "; the server never took {} recorded frames",
                self.unwritten
            ));
        }
        text
    }
}

/// A limit in bytes, in words.
pub(crate) fn size(bytes: usize) -> String {
    match bytes {
        bytes if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        bytes if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        bytes => format!("{bytes} bytes"),
    }
}
