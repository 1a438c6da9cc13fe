//! `bench --against REV`: the same benchmarks of another revision, built and run in the same session as ours.
//!
//! The other revision runs its own benchmark program, so it measures only what existed then; a number of only one side is
//! printed alone. The order alternates (theirs, ours, ours, theirs), so that a machine that slows down affects both.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::install::{browser, stamp};
use crate::{Outcome, place, process};

/// The numbers of one side, by name: all runs, and the unit.
type Numbers = BTreeMap<String, (Vec<f64>, String)>;

/// Runs `ours` and the same benchmark `name` of `revision` alternately and prints both.
pub(crate) fn compare(revision: &str, name: &str, ours: impl Fn() -> Command) -> Outcome {
    let other = Other::checked_out(revision)?;
    let mut here = Numbers::new();
    let mut there = Numbers::new();
    let first = other.bench(name, &mut there);
    measured(&mut ours(), &mut here)?;
    measured(&mut ours(), &mut here)?;
    // What did not finish once is not tried again: its numbers, if any, are printed beside the reason.
    let finished = first.and_then(|()| other.bench(name, &mut there));
    print(revision, &here, &there);
    if let Err(error) = finished {
        println!("{revision} did not finish {name}: {error}");
    }
    Ok(())
}

/// The files of another revision, outside this clone, with a separate build folder.
struct Other {
    folder: PathBuf,
    target: PathBuf,
}

impl Other {
    fn checked_out(revision: &str) -> Outcome<Self> {
        let mut parse = process::command("git");
        parse
            .args(["rev-parse", "--verify", "--short=12"])
            .arg(format!("{revision}^{{commit}}"));
        let commit = process::answer(&mut parse)
            .map(|text| text.trim().to_owned())
            .ok_or_else(|| format!("git knows no commit `{revision}`"))?;
        let base = place::cache().join("against");
        let folder = base.join(&commit);
        unpack(&commit, &folder)?;
        Ok(Self {
            folder,
            target: base.join("target"),
        })
    }

    fn bench(&self, name: &str, numbers: &mut Numbers) -> Outcome {
        let mut cargo = process::cargo();
        // It may not know the name that the browser has on this system.
        if let Some(chromium) = browser::find() {
            cargo.env("PATCHBAY_CHROMIUM", chromium);
        }
        cargo
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", &self.target)
            .args(["xtask", "bench", name, "--json"]);
        measured(&mut cargo, numbers)
    }
}

/// Unpacks the files of a commit into a folder, unless that was completed before.
fn unpack(commit: &str, folder: &Path) -> Outcome {
    stamp::once(folder, |folder| {
        let archive = folder.with_extension("tar");
        let mut git = process::command("git");
        process::must(git.arg("archive").arg("--output").arg(&archive).arg(commit))?;
        let mut tar = process::command("tar");
        process::must(
            tar.arg("--extract")
                .arg("--file")
                .arg(&archive)
                .arg("--directory")
                .arg(folder),
        )?;
        // The archive is no longer needed; failing to delete it is harmless.
        let _ = fs::remove_file(&archive);
        Ok(())
    })
}

/// Runs a benchmark that prints JSON lines and adds its numbers, also those before a failure.
fn measured(command: &mut Command, numbers: &mut Numbers) -> Outcome {
    let shown = process::shown(command);
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("`{shown}` could not be started: {error}"))?;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let (Some(name), Some(value)) = (text(line, "name"), number(line, "value")) else {
            continue;
        };
        let unit = text(line, "unit").unwrap_or_default();
        numbers
            .entry(name)
            .or_insert_with(|| (Vec::new(), unit))
            .0
            .push(value);
    }
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("`{shown}` ended with {}", output.status))
    }
}

/// How many times theirs ours is.
fn times(ours: f64, theirs: f64) -> String {
    if theirs == 0.0 {
        return "no ratio to 0".to_owned();
    }
    format!("{:.2} times", ours / theirs)
}

fn print(revision: &str, here: &Numbers, there: &Numbers) {
    for (name, (values, unit)) in here {
        let ours = mean(values);
        match there.get(name) {
            Some((values, _)) => {
                let theirs = mean(values);
                println!(
                    "{name:<28}{ours:>12.2} {unit}   {revision} {theirs:.2}   {}",
                    times(ours, theirs)
                );
            }
            None => println!("{name:<28}{ours:>12.2} {unit}   {revision} does not measure it"),
        }
    }
    for (name, (values, unit)) in there.iter().filter(|(name, _)| !here.contains_key(*name)) {
        let theirs = mean(values);
        println!(
            "{name:<28}{:>12} {unit}   {revision} {theirs:.2}   not measured here",
            ""
        );
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A member of one of our benchmark lines: flat JSON objects without string escapes.
fn member<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let after = line.split_once(&format!("\"{name}\":"))?.1.trim_start();
    let end = match after.strip_prefix('"') {
        Some(inside) => return inside.split_once('"').map(|(text, _)| text),
        None => after.find([',', '}'])?,
    };
    Some(&after[..end])
}

fn text(line: &str, name: &str) -> Option<String> {
    member(line, name).map(str::to_owned)
}

fn number(line: &str, name: &str) -> Option<f64> {
    member(line, name)?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_whose_unpacking_was_interrupted_is_unpacked_again() {
        let base = std::env::temp_dir().join(format!("patchbay-against-{}", std::process::id()));
        // Of an earlier process that had the same number, and failed.
        let _ = fs::remove_dir_all(&base);
        let folder = base.join("commit");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("Cargo.toml"), "[work").unwrap();
        unpack("HEAD", &folder).unwrap();
        assert!(folder.join("xtask/Cargo.toml").is_file());
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[workspace]"), "{manifest}");
        fs::write(folder.join("Cargo.toml"), "").unwrap();
        unpack("HEAD", &folder).unwrap();
        assert_eq!(
            fs::read(folder.join("Cargo.toml")).unwrap(),
            b"",
            "it was complete"
        );
        fs::remove_dir_all(&base).unwrap();
    }

    #[test]
    fn nothing_is_a_number_of_times_nothing() {
        assert_eq!(times(3.0, 2.0), "1.50 times");
        assert_eq!(times(0.0, 0.0), "no ratio to 0");
    }

    #[test]
    fn lines_of_benchmarks_are_read() {
        let line = r#"{"name":"stdio-calls-1","value":5591.25,"unit":"calls/s","peerValue":5235.0}"#;
        assert_eq!(text(line, "name").as_deref(), Some("stdio-calls-1"));
        assert_eq!(number(line, "value"), Some(5591.25));
        assert_eq!(number(line, "peerValue"), Some(5235.0));
        assert_eq!(text(line, "unit").as_deref(), Some("calls/s"));
        assert_eq!(number("no json", "value"), None);
    }
}
