//! Compares the log with what a server received and sent.

use std::collections::HashSet;

use crate::host::{Crossed, lock};
use crate::run::Ran;
use crate::script::Transport;

/// What the log has of one connection, in order.
#[derive(Debug, Default)]
pub(crate) struct Logged {
    pub(crate) sent: Vec<Vec<u8>>,
    pub(crate) received: Vec<Vec<u8>>,
}

/// How a connection ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The first process ended only after all that it sent was read.
    Read,
    /// It may have ended before that.
    Early,
    /// Patchbay was killed: what was not written yet is not in the log.
    Killed,
}

/// Compares the log with what the server says.
pub(crate) fn compare(ran: &Ran, logged: &Logged) -> Result<(), String> {
    let crossed = lock(&ran.server.crossed);
    match ran.server.script.transport {
        Transport::Stdio => {
            let end = if ran.complete { End::Read } else { End::Early };
            stdio(end, &crossed, logged)
        }
        Transport::Http => http(ran.server.script.carriage == 0, &crossed, logged),
    }
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned()
}

/// Over pipes: each message once, in order, and none is missing between two others.
pub(crate) fn stdio(end: End, crossed: &Crossed, logged: &Logged) -> Result<(), String> {
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
        let mut lines: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        // What follows the last line break; nothing, if it is the end.
        if lines.last().is_some_and(Vec::is_empty) {
            lines.pop();
        }
        lines
    };
    // Each process in turn: the log has a beginning of what it sent, and all of it if it ended by itself.
    let mut rest = &logged.received[..];
    let last = crossed.processes.len().saturating_sub(1);
    for (number, process) in crossed.processes.iter().enumerate() {
        let sent = lines(&process.sent);
        let same = sent
            .iter()
            .zip(rest)
            .take_while(|(sent, logged)| sent == logged)
            .count();
        // The last line may be cut by the end of the process.
        let cut = rest
            .get(same)
            .zip(sent.get(same))
            .is_some_and(|(logged, sent)| sent.starts_with(logged));
        rest = &rest[same + usize::from(cut && same + 1 == sent.len())..];
        let first_is_whole = end == End::Read && number + 1 == last.max(1);
        if first_is_whole && same < sent.len() {
            return Err(format!(
                "line {same} of process {number} is not in the log: {}",
                shown(&sent[same])
            ));
        }
    }
    if let Some(more) = rest.first() {
        return Err(format!("the log has what no process sent: {}", shown(more)));
    }
    // What a process received was recorded before.
    let mut rest = &logged.sent[..];
    for process in &crossed.processes {
        for received in process.received.split_inclusive(|byte| *byte == b'\n') {
            let line = received.strip_suffix(b"\n").unwrap_or(received);
            let is_whole = line.len() < received.len();
            let found = rest
                .iter()
                .position(|logged| logged == line || !is_whole && logged.starts_with(line));
            let Some(found) = found else {
                if end == End::Killed && rest.is_empty() {
                    return Ok(());
                }
                return Err(format!("what was sent is not in the log: {}", shown(line)));
            };
            rest = &rest[found + 1..];
        }
    }
    Ok(())
}

/// `is_exact`: nothing was spoilt on the way.
pub(crate) fn http(is_exact: bool, crossed: &Crossed, logged: &Logged) -> Result<(), String> {
    let sent: HashSet<&[u8]> = logged.sent.iter().map(Vec::as_slice).collect();
    if let Some(lost) = crossed
        .posted
        .iter()
        .find(|posted| !posted.is_empty() && !sent.contains(posted.as_slice()))
    {
        return Err(format!("what was sent is not in the log: {}", shown(lost)));
    }
    for received in &logged.received {
        let whole = crossed.offered.contains(received.as_slice());
        // Spoilt on the way, it is a part of something.
        if !whole && is_exact {
            return Err(format!(
                "the log has what the server did not send: {}",
                shown(received)
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{End, Logged, http, stdio};
    use crate::host::{Crossed, Pipe};

    fn texts(all: &[&str]) -> Vec<Vec<u8>> {
        all.iter().map(|text| text.as_bytes().to_vec()).collect()
    }

    #[test]
    fn a_log_that_differs_from_the_pipe_is_found() {
        let crossed = Crossed {
            processes: vec![Pipe {
                received: b"ask\nmore\n".to_vec(),
                sent: b"one\ntwo\n".to_vec(),
                ended: true,
            }],
            ..Crossed::default()
        };
        let check = |sent: &[&str], received: &[&str]| {
            let logged = Logged {
                sent: texts(sent),
                received: texts(received),
            };
            stdio(End::Read, &crossed, &logged)
        };
        assert_eq!(check(&["ask", "more"], &["one", "two"]), Ok(()));
        assert!(check(&["ask", "more"], &["one"]).is_err(), "one is missing");
        assert!(
            check(&["ask", "more"], &["one", "two", "three"]).is_err(),
            "invented"
        );
        assert!(check(&["ask", "more"], &["one", "tw0"]).is_err(), "rewritten");
        assert!(
            check(&["ask", "more"], &["two", "one"]).is_err(),
            "in another order"
        );
        assert!(check(&["ask"], &["one", "two"]).is_err(), "not recorded");
        assert!(
            check(&["more", "ask"], &["one", "two"]).is_err(),
            "recorded too late"
        );
        let killed = |sent: &[&str], received: &[&str]| {
            let logged = Logged {
                sent: texts(sent),
                received: texts(received),
            };
            stdio(End::Killed, &crossed, &logged)
        };
        assert_eq!(killed(&["ask"], &["one"]), Ok(()), "not written yet");
        assert_eq!(killed(&[], &[]), Ok(()), "nothing written yet");
        assert!(killed(&["more"], &["one"]).is_err(), "a hole");
    }

    #[test]
    fn a_log_that_differs_from_the_exchanges_is_found() {
        let crossed = Crossed {
            posted: texts(&["ask"]),
            offered: texts(&["one"]).into_iter().collect(),
            ..Crossed::default()
        };
        let check = |is_exact, sent: &[&str], received: &[&str]| {
            let logged = Logged {
                sent: texts(sent),
                received: texts(received),
            };
            http(is_exact, &crossed, &logged)
        };
        assert_eq!(check(true, &["ask"], &["one"]), Ok(()));
        assert!(check(true, &[], &["one"]).is_err(), "not recorded");
        assert!(check(true, &["ask"], &["0ne"]).is_err(), "rewritten");
        assert_eq!(check(false, &["ask"], &["on"]), Ok(()), "cut on the way");
    }
}
