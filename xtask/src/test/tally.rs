//! Counts the tests in a step's log, in the output formats of the test runners used here.

use std::fmt;

/// The number of tests a step ran.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
    /// The reasons of skipped tests.
    pub(crate) skipped: Vec<String>,
}

impl Tally {
    /// The counts so far, as a prefix of a failure's reason.
    pub(crate) fn before_reason(&self) -> String {
        if self.passed + self.failed > 1 {
            format!("{self}; ")
        } else {
            String::new()
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.passed + self.failed > 1 {
            write!(f, "{} passed", self.passed)?;
            if self.failed > 0 {
                write!(f, ", {} failed", self.failed)?;
            }
        }
        if self.skipped.is_empty() {
            Ok(())
        } else {
            write!(f, ", {} skipped", self.skipped.len())
        }
    }
}

/// Counts the tests of libtest, Vitest, Playwright, node:test and of scripts that end with `N passed, N failed`; and each
/// `SKIPPED reason` line.
pub(crate) fn count(log: &str) -> Tally {
    let mut tally = Tally::default();
    // What node:test skipped, before it says how many these are.
    let mut named = Vec::new();
    for line in log.lines() {
        let line = line.trim();
        if let Some(reason) = line.strip_prefix("SKIPPED ") {
            tally.skipped.push(reason.to_owned());
            continue;
        }
        if let Some(test) = line.strip_prefix("﹣ ") {
            named.push(test.to_owned());
            continue;
        }
        // node:test says `ℹ pass 5`, `ℹ fail 0`.
        if let Some((word, count)) = line.strip_prefix("ℹ ").and_then(|line| line.split_once(' ')) {
            let count = count.parse().unwrap_or(0);
            match word {
                "pass" => tally.passed += count,
                "fail" | "cancelled" => tally.failed += count,
                "skipped" => {
                    named.resize(count as usize, "a test that is not named".to_owned());
                    tally.skipped.append(&mut named);
                }
                _ => {}
            }
            continue;
        }
        let counts = line
            .strip_prefix("test result: ")
            .or_else(|| line.strip_prefix("Tests "))
            .or_else(|| {
                line.starts_with(|first: char| first.is_ascii_digit())
                    .then_some(line)
            });
        let Some(counts) = counts else { continue };
        tally.passed += number_before(counts, "passed").unwrap_or(0);
        tally.failed += number_before(counts, "failed").unwrap_or(0);
    }
    tally
}

/// The number right before a word: `3 failed | 10 passed (13)`.
fn number_before(line: &str, word: &str) -> Option<u32> {
    let words: Vec<&str> = line
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words
        .windows(2)
        .find(|pair| pair[1] == word)
        .and_then(|pair| pair[0].parse().ok())
}

#[cfg(test)]
mod tests;
