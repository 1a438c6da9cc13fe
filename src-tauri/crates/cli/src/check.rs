//! `patchbay check`: reports the violations in a recording, one per line.

use std::{fs::File, io::BufReader, path::Path};

use patchbay_engine::{RecordingError, RecordingViolation, TextError, check_recording};
use serde::Serialize;

use crate::{
    exit::{Exit, Problem},
    oneshot,
    output::{self, visible},
};

/// A violation, as `--json` writes it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    seq: u64,
    severity: &'a str,
    rule: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<&'a str>,
    spec: &'a str,
}

/// Checks a recording. Returns [`Exit::Invalid`] if it has errors.
pub(crate) fn run(file: &Path, json: bool) -> Result<Exit, (Exit, Problem)> {
    let unreadable = |cause: &dyn std::fmt::Display| {
        let message = format!(
            "{} cannot be checked: {cause}. Give a file of `--record`, or an export of the log as JSON Lines.",
            visible(&file.display().to_string())
        );
        (Exit::Usage, Problem::usage(message))
    };
    // It may be a pipe.
    let opened = File::open(file).map_err(TextError::from);
    let recording = BufReader::new(opened.map_err(|error| unreadable(&error))?);
    let (mut errors, mut warnings) = (0_u64, 0_u64);
    // Those that nobody reads are counted too.
    let mut is_read = Ok(true);
    let checked = check_recording(recording, |violation| {
        match violation.is_error {
            true => errors += 1,
            false => warnings += 1,
        }
        if matches!(is_read, Ok(true)) {
            is_read = write(&violation, json);
        }
    })
    .map_err(|error| match error {
        RecordingError::Read(error) => unreadable(&TextError::from(error)),
        error => unreadable(&error),
    })?;
    is_read?;
    for connection in checked.incomplete {
        let words = format!(
            "connection {connection} is not complete: rules that need earlier messages are not checked"
        );
        Problem::notice(words).say(json);
    }
    let frames = checked.frames;
    let words = format!("{frames} frames checked, errors: {errors}, warnings: {warnings}");
    Problem::notice(words).say(json);
    Ok(match errors {
        0 => Exit::Ok,
        _ => Exit::Invalid,
    })
}

/// Returns false if the reader has closed stdout.
fn write(violation: &RecordingViolation, json: bool) -> Result<bool, (Exit, Problem)> {
    let severity = match violation.is_error {
        true => "error",
        false => "warning",
    };
    let RecordingViolation {
        seq,
        rule,
        message,
        pointer,
        spec,
        ..
    } = violation;
    let pointer = pointer.as_deref();
    let line = match json {
        true => serde_json::to_string(&Line {
            seq: *seq,
            severity,
            rule,
            message,
            pointer,
            spec,
        })
        .map_err(|error| {
            let problem = Problem::internal("A violation could not be written.", &error);
            (Exit::Usage, problem)
        })?,
        false => {
            let place = pointer
                .map(|pointer| format!(" at {pointer}"))
                .unwrap_or_default();
            visible(&format!("{seq} {severity} {rule}{place}: {message} ({spec})"))
        }
    };
    oneshot::is_read(output::answer(line.as_bytes()))
}
