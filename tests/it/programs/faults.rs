//! What the system refuses us: descriptors, room on the disk. Each run ends with what was done, or with a failure that says
//! why; the next run without the limit works.
#![cfg(unix)]

#[cfg(target_os = "linux")]
mod disk;

use std::process::Command;

use super::{Ended, Patchbay, scripted};

/// A call under a limit of the shell, e.g. `ulimit -n 20`.
fn call_under(patchbay: &Patchbay, limit: &str, more: &[&str]) -> Ended {
    let server = scripted("legacy");
    let mut args = vec!["tools", "call", "--era", "legacy", "--stdio", &server];
    args.extend(more);
    let plain = patchbay.command(&args);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", &format!("{limit}; exec \"$@\""), "sh"])
        .arg(plain.get_program())
        .args(plain.get_args())
        .current_dir(patchbay.folder());
    for (name, value) in plain.get_envs() {
        limited.env(name, value.unwrap_or_default());
    }
    limited.output().unwrap().into()
}

fn answered(ended: &Ended) -> bool {
    ended.code == Some(0) && ended.stdout.contains("\"content\"")
}

/// Each thread wants 2 GiB of addresses, so a limit of addresses is one of threads, for every user.
#[cfg(target_os = "linux")]
#[test]
fn without_threads_it_ends_with_the_cause() {
    const GIB: usize = 1 << 20;
    let patchbay = Patchbay::new();
    let mut refused = 0;
    for threads in 0..12 {
        let limit = format!(
            "export RUST_MIN_STACK=2147483648; ulimit -v {}",
            GIB + threads * 2 * GIB
        );
        let ended = call_under(&patchbay, &limit, &["echo", "{}"]);
        if answered(&ended) {
            continue;
        }
        refused += 1;
        assert!(ended.code.is_some_and(|code| code > 0), "{threads}: {ended:?}");
        assert!(!ended.stderr.contains("panicked"), "{threads}: {ended:?}");
        assert!(
            ended.stderr.contains("Resource temporarily unavailable")
                || ended.stderr.contains("Cannot allocate memory"),
            "{threads}: {ended:?}"
        );
    }
    assert!(refused > 2, "the limit has no effect");
}

#[test]
fn without_descriptors_it_ends_with_the_cause() {
    let patchbay = Patchbay::new();
    let mut refused = 0;
    for most in (8..=32).step_by(4) {
        let ended = call_under(&patchbay, &format!("ulimit -n {most}"), &["echo", "{}"]);
        if answered(&ended) {
            continue;
        }
        refused += 1;
        assert!(ended.code.is_some_and(|code| code > 0), "{most}: {ended:?}");
        let words = ["Too many open files", "unable to open database file"];
        assert!(
            words.iter().any(|words| ended.stderr.contains(words)) && !ended.stderr.contains("panicked"),
            "{most}: {ended:?}"
        );
    }
    assert!(refused > 2, "the limit has no effect");
    assert!(answered(&call_under(&patchbay, ":", &["echo", "{}"])));
}

/// A limit of a file's size is like a full disk: an empty log fits, and what is recorded does not.
#[test]
fn a_recording_that_does_not_fit_on_the_disk_is_a_failure_not_a_stall() {
    let patchbay = Patchbay::new();
    let text = format!("{{\"text\":\"{}\"}}", "a".repeat(90_000));
    let call = ["echo", &text, "--record", "recording.jsonl"];
    let ended = call_under(&patchbay, "trap '' XFSZ; ulimit -f 300", &call);
    assert!(ended.code.is_some_and(|code| code > 0), "{ended:?}");
    assert!(
        ended.stderr.contains("The recording could not be written")
            && ended.stderr.contains("Free some space on the disk"),
        "{}",
        ended.stderr
    );
    assert!(answered(&call_under(&patchbay, ":", &call)));
    let recorded = std::fs::read_to_string(patchbay.folder().join("recording.jsonl")).unwrap();
    assert!(recorded.contains("tools/call"));
}
