//! Whether what a process holds stays the same while it works.

use crate::measure::Held;
use crate::servers::{ACTIONS, SERVERS};

/// What was held at a quiet moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// The number of requests so far.
    pub(crate) requests: u64,
    pub(crate) memory_kb: usize,
    pub(crate) held: Held,
}

/// How many more descriptors there may be than in the warm-up, without sockets.
const FILES_SLACK: usize = 8;
/// How many more sockets: half of the servers speak HTTP, and for each request that was under way at once the pool keeps a
/// connection for some seconds, of which both ends are in this process.
const SOCKETS_SLACK: usize = SERVERS as usize / 2 * ACTIONS * 2;
/// How many more tasks.
const TASKS_SLACK: usize = 8;
/// By how much memory may grow whatever happens, in kB: the allocator's own.
const MEMORY_SLACK: f64 = 6_000.0;
/// By how much memory may grow with each request, in kB: the index of the log in memory is a few bytes.
const MEMORY_PER_REQUEST: f64 = 0.6;

/// One of the numbers of what is held.
type Count = fn(&Held) -> usize;

/// An error says what grows. The last quarter is compared with the first, which is the warm-up; for memory with the second. What
/// counts is the median, as connections come and go.
pub(crate) fn flat(samples: &[Sample]) -> Result<(), String> {
    let quarter = samples.len() / 4;
    if quarter < 2 {
        return Err(format!("{} samples are too few", samples.len()));
    }
    let (warm, later) = samples.split_at(quarter);
    let last = &later[later.len() - quarter..];
    let counts: [(&str, Count, usize); 5] = [
        (
            "descriptors",
            |held| held.files.saturating_sub(held.sockets),
            FILES_SLACK,
        ),
        ("sockets", |held| held.sockets, SOCKETS_SLACK),
        ("tasks", |held| held.tasks, TASKS_SLACK),
        ("threads", |held| held.threads, 0),
        ("processes", |held| held.children, 0),
    ];
    for (name, of, slack) in counts {
        let most = warm.iter().map(|sample| of(&sample.held)).max().unwrap_or(0) + slack;
        let now = middle(last.iter().map(|sample| of(&sample.held) as f64)) as usize;
        if now > most {
            return Err(format!("{name} grow: {now} at the end, at most {most} are right"));
        }
    }
    let (early, late) = (median(&later[..quarter]), median(&later[later.len() - quarter..]));
    let (grown, requests) = (late.0 - early.0, late.1 - early.1);
    match grown <= MEMORY_SLACK + MEMORY_PER_REQUEST * requests {
        true => Ok(()),
        false => Err(format!("memory grows: {grown:.0} kB in {requests:.0} requests")),
    }
}

/// The median of the memory, and of the number of requests.
fn median(samples: &[Sample]) -> (f64, f64) {
    (
        middle(samples.iter().map(|sample| sample.memory_kb as f64)),
        middle(samples.iter().map(|sample| sample.requests as f64)),
    )
}

fn middle(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut all: Vec<f64> = numbers.collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(change: impl Fn(usize, &mut Sample)) -> Vec<Sample> {
        let make = |round: usize| {
            let mut sample = Sample {
                requests: 100 * round as u64,
                // As an allocator does.
                memory_kb: 80_000 + (round % 5) * 900,
                held: Held {
                    tasks: 40 + round % 3,
                    threads: 4,
                    files: 100 + round % 7,
                    sockets: 40 + round % 5,
                    children: 9,
                },
            };
            change(round, &mut sample);
            sample
        };
        (0..80).map(make).collect()
    }

    #[test]
    fn what_stays_the_same_is_flat() {
        assert_eq!(flat(&samples(|_, _| {})), Ok(()));
    }

    #[test]
    fn each_leak_is_found() {
        type Change = fn(usize, &mut Sample);
        let cases: [(&str, Change); 6] = [
            ("memory", |round, sample| sample.memory_kb += 300 * round),
            ("descriptors", |round, sample| sample.held.files += round),
            ("sockets", |round, sample| {
                sample.held.files += 2 * round;
                sample.held.sockets += 2 * round;
            }),
            ("tasks", |round, sample| sample.held.tasks += round),
            ("threads", |round, sample| sample.held.threads += round / 60),
            ("processes", |round, sample| sample.held.children += round / 60),
        ];
        for (name, change) in cases {
            let error = flat(&samples(change)).unwrap_err();
            assert!(error.starts_with(name), "{error}");
        }
    }
}
