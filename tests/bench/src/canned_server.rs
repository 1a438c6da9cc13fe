//! A server that does nothing but answer: one canned JSON text for each method, with the id of the request put in.
//!
//! It costs as little as a server can, so that the measurement is of the client. Deliberately not here: JSON parsing, tools and
//! errors; an unknown request gets an empty result.

use std::io::{self, Write as _};

use patchbay_rmcp::Failure;

const INITIALIZE: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"canned","version":"1.0.0"}}"#;
const CALL: &str =
    r#"{"content":[{"type":"text","text":"a canned answer of the usual size"}],"isError":false}"#;

/// Answers until stdin ends. All requests that one read brings are answered by one write.
///
/// # Errors
/// Stdin or stdout broke.
pub(crate) fn serve() -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut pending: Vec<u8> = Vec::new();
    let mut answers: Vec<u8> = Vec::new();
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let count = io::Read::read(&mut input, &mut chunk)?;
        if count == 0 {
            return Ok(());
        }
        pending.extend_from_slice(&chunk[..count]);
        let Some(end) = pending.iter().rposition(|byte| *byte == b'\n') else {
            continue;
        };
        for line in pending[..end].split(|byte| *byte == b'\n') {
            answer(line, &mut answers);
        }
        pending.drain(..=end);
        output.write_all(&answers)?;
        output.flush()?;
        answers.clear();
    }
}

fn answer(line: &[u8], answers: &mut Vec<u8>) {
    let Some(id) = number_after(line, b"\"id\":") else {
        return;
    };
    let result = if contains(line, b"\"tools/call\"") {
        CALL
    } else if contains(line, b"\"initialize\"") {
        INITIALIZE
    } else {
        "{}"
    };
    answers.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    answers.extend_from_slice(id);
    answers.extend_from_slice(b",\"result\":");
    answers.extend_from_slice(result.as_bytes());
    answers.extend_from_slice(b"}\n");
}

/// The digits that follow a member's name. Both clients number their requests.
fn number_after<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let at = line.windows(name.len()).position(|window| window == name)? + name.len();
    let rest = &line[at..];
    let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (length > 0).then(|| &rest[..length])
}

fn contains(line: &[u8], word: &[u8]) -> bool {
    line.windows(word.len()).any(|window| window == word)
}
