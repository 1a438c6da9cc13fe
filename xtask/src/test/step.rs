//! Steps of a test run. Each has a name, is timed and writes its own log; the run continues after a failure.
//!
//! Two steps run beside each other where they may: most of them wait now and then (for a server to start, for a timeout), and
//! each alone leaves a core idle.

use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::test::tally::{self, Tally};
use crate::{Outcome, disk, place, process};

/// A part of the test run.
pub(crate) struct Step {
    /// The name in the summary and on the command line.
    pub(crate) name: &'static str,
    /// The steps that must succeed first.
    pub(crate) needs: &'static [&'static str],
    /// Runs beside no other step: it measures times, or uses all cores anyway.
    pub(crate) alone: bool,
    /// Runs it. `Ok(Some(reason))` means that it was skipped.
    pub(crate) run: fn(&Log) -> Outcome<Option<String>>,
}

/// The log that a step's commands write to.
pub(crate) struct Log {
    path: PathBuf,
}

impl Log {
    fn begin(name: &str) -> Outcome<Self> {
        let folder = place::logs();
        fs::create_dir_all(&folder)
            .map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
        let path = folder.join(format!("{}.log", name.replace([' ', '/'], "-")));
        File::create(&path).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        Ok(Self { path })
    }

    /// Runs a command with its output in the log. Without a terminal at stdin, as on a build machine, the command and everything
    /// it started are ended after `limit`, and also when this program ends before them.
    pub(crate) fn run_within(&self, command: &mut Command, limit: Duration) -> Outcome {
        let unlimited = std::io::stdin().is_terminal() || process::which("timeout").is_none();
        let limit = Limit {
            time: limit,
            grace: Duration::from_secs(10),
        };
        self.run_to_end(command, (!unlimited).then_some(limit))
    }

    fn run_to_end(&self, command: &mut Command, limit: Option<Limit>) -> Outcome {
        let log = File::options()
            .append(true)
            .open(&self.path)
            .map_err(|error| error.to_string())?;
        let twin = log.try_clone().map_err(|error| error.to_string())?;
        let shown = process::shown(command);
        let _ = writeln!(&log, "$ {shown}");
        let before = log.metadata().map_or(0, |metadata| metadata.len());
        let mut limited = limit.map(|limit| under_limit(command, limit));
        let command = limited.as_mut().unwrap_or(command);
        command.stdin(Stdio::null()).stdout(log).stderr(twin);
        let begun = Instant::now();
        let status = match limit {
            Some(_) => command.spawn().and_then(wait_for_group),
            None => command.status(),
        };
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => {
                if let Some(limit) = limit.filter(|limit| limit.is_over(status, begun.elapsed())) {
                    return Err(format!("`{shown}` was ended after {} s", limit.time.as_secs()));
                }
                let output = self.text();
                let output = output
                    .get(usize::try_from(before).unwrap_or(0)..)
                    .unwrap_or(&output);
                // A test may write of a full disk: then some space must be missing indeed.
                let cause = disk::shortage().or_else(|| disk::named_in(output).filter(|_| is_build(&shown)));
                Err(process::because(format!("`{shown}` ended with {status}"), cause))
            }
            Err(error) => Err(format!("`{shown}` could not be started: {error}")),
        }
    }

    /// [`Log::run_within`] with a limit of fifteen minutes.
    pub(crate) fn run(&self, command: &mut Command) -> Outcome {
        self.run_within(command, Duration::from_secs(15 * 60))
    }

    fn text(&self) -> String {
        fs::read(&self.path)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default()
    }
}

/// Whether a command only builds or installs, so that its output is of nothing else.
fn is_build(shown: &str) -> bool {
    [
        "cargo build",
        "cargo clippy",
        "cargo install",
        "npm ci",
        "npm install",
    ]
    .iter()
    .any(|begin| shown.contains(begin))
}

/// How long a command may take.
#[derive(Clone, Copy)]
struct Limit {
    time: Duration,
    /// How long it may take to end then, before it is killed.
    grace: Duration,
}

impl Limit {
    /// Whether `timeout` ended a command at the limit. Only the time tells one that had to be killed from one that was killed for
    /// another reason, such as a lack of memory.
    fn is_over(self, status: ExitStatus, took: Duration) -> bool {
        #[cfg(unix)]
        let was_killed = std::os::unix::process::ExitStatusExt::signal(&status) == Some(9);
        #[cfg(not(unix))]
        let was_killed = false;
        took >= self.time && (was_killed || matches!(status.code(), Some(124 | 137)))
    }
}

/// The same command under coreutils' `timeout`, which ends the whole process group.
fn under_limit(command: &Command, limit: Limit) -> Command {
    let mut limited = Command::new("timeout");
    limited.arg(format!("--kill-after={}", limit.grace.as_secs_f64()));
    limited.arg(limit.time.as_secs_f64().to_string());
    limited.arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        limited.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    limited
}

/// Waits for the end of `timeout`. It has a process group of its own, so that Ctrl-C, or a signal to this program, does not reach
/// what runs under it: a watch ends it if this program ends first.
fn wait_for_group(mut timeout: Child) -> io::Result<ExitStatus> {
    let watch = watch(timeout.id());
    let ended = timeout.wait();
    if let Ok(mut watch) = watch {
        // An error means that it has ended.
        let _ = watch.kill();
        let _ = watch.wait();
    }
    ended
}

/// A process that asks another one to end as soon as the pipe to its stdin is closed, i.e. when this program ends in any way.
fn watch(other: u32) -> io::Result<Child> {
    let mut watch = Command::new("sh");
    watch.args(["-c", "read -r _; kill -TERM \"$1\"", "sh"]);
    watch.arg(other.to_string());
    // What ends this program does not end it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut watch, 0);
    watch
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

enum Verdict {
    Passed,
    Failed(String),
    Skipped(String),
}

struct Report {
    name: &'static str,
    verdict: Verdict,
    tally: Tally,
    log: PathBuf,
}

/// How many steps run beside each other.
const BESIDE: usize = 2;

/// Runs the steps, each as soon as those that it needs have ended, and prints the summary; the last line is
/// `N passed, N failed`.
pub(crate) fn run_all(steps: &[&'static Step]) -> Outcome {
    let begun = Instant::now();
    let mut reports: Vec<Report> = Vec::new();
    let mut left: Vec<&'static Step> = steps.to_vec();
    let mut running: Vec<&'static Step> = Vec::new();
    let (sender, ended) = mpsc::channel();
    loop {
        while let Some(step) = next(&mut left, &running) {
            running.push(step);
            let unmet = unmet(step, &reports);
            let sender = sender.clone();
            thread::spawn(move || {
                let started = Instant::now();
                // An error means that the run is over.
                let _ = sender.send((step, run_one(step, unmet), started.elapsed()));
            });
        }
        if running.is_empty() {
            break;
        }
        let (step, report, took) = ended.recv().map_err(|error| error.to_string())?;
        running.retain(|other| other.name != step.name);
        let report = report?;
        let said = match &report.verdict {
            Verdict::Passed => format!("ok       {}", report.tally),
            Verdict::Failed(reason) => format!("FAILED   {}{reason}", report.tally.before_reason()),
            Verdict::Skipped(reason) => format!("SKIPPED  {reason}"),
        };
        println!("{:<18} {:>7.1} s  {said}", step.name, took.as_secs_f64());
        // An error means that nobody reads.
        let _ = std::io::stdout().flush();
        reports.push(report);
    }
    summarise(&reports, begun.elapsed())
}

/// The next step that may run now, taken from those that are left.
fn next(left: &mut Vec<&'static Step>, running: &[&'static Step]) -> Option<&'static Step> {
    if running.len() >= BESIDE || running.iter().any(|step| step.alone) {
        return None;
    }
    let is_open = |name: &&str| left.iter().chain(running).any(|step| step.name == *name);
    let may = |step: &&'static Step| !step.needs.iter().any(is_open) && (!step.alone || running.is_empty());
    let at = left.iter().position(may)?;
    Some(left.remove(at))
}

/// The first step that this one needs and that did not pass.
fn unmet(step: &Step, before: &[Report]) -> Option<&'static str> {
    let failed =
        |report: &&Report| step.needs.contains(&report.name) && !matches!(report.verdict, Verdict::Passed);
    before.iter().find(failed).map(|report| report.name)
}

fn run_one(step: &Step, unmet: Option<&'static str>) -> Outcome<Report> {
    let log = Log::begin(step.name)?;
    let verdict = match unmet {
        Some(name) => Verdict::Skipped(format!("needs `{name}`")),
        None => match (step.run)(&log) {
            Ok(None) => Verdict::Passed,
            Ok(Some(reason)) => Verdict::Skipped(reason),
            Err(reason) => Verdict::Failed(reason),
        },
    };
    let mut tally = tally::count(&log.text());
    match &verdict {
        // A step that reports no test count counts as one test.
        Verdict::Passed if tally.passed == 0 => tally.passed = 1,
        Verdict::Failed(_) if tally.failed == 0 => tally.failed = 1,
        Verdict::Skipped(reason) => tally.skipped.push(format!("{}: {reason}", step.name)),
        _ => {}
    }
    Ok(Report {
        name: step.name,
        verdict,
        tally,
        log: log.path,
    })
}

fn summarise(reports: &[Report], took: Duration) -> Outcome {
    let failure = reports.iter().find_map(|report| match &report.verdict {
        Verdict::Failed(reason) => Some((report, reason)),
        _ => None,
    });
    if let Some((report, reason)) = failure {
        println!("\n--- {}: {reason}\n{}", report.name, tail(&report.log, 300));
        println!("--- the whole of it: {}", report.log.display());
    }
    let skipped: Vec<&String> = reports.iter().flat_map(|report| &report.tally.skipped).collect();
    println!();
    for reason in &skipped {
        println!("SKIPPED {reason}");
    }
    if !skipped.is_empty() {
        println!("{} SKIPPED", skipped.len());
    }
    println!(
        "{} steps in {} min {:02} s",
        reports.len(),
        took.as_secs() / 60,
        took.as_secs() % 60
    );
    let passed: u32 = reports.iter().map(|report| report.tally.passed).sum();
    let failed: u32 = reports.iter().map(|report| report.tally.failed).sum();
    println!("{passed} passed, {failed} failed");
    if failure.is_some() {
        Err("not everything passed".into())
    } else {
        Ok(())
    }
}

/// The last lines of a log.
fn tail(log: &Path, lines: usize) -> String {
    let text = fs::read(log)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .unwrap_or_default();
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn step(name: &'static str, needs: &'static [&'static str], alone: bool) -> Step {
        Step {
            name,
            needs,
            alone,
            run: |_| Ok(None),
        }
    }

    static BUILD: Step = step("build", &[], false);
    static LINT: Step = step("lint", &[], false);
    static TESTS: Step = step("tests", &["build"], false);
    static TIMES: Step = step("times", &["build"], true);

    fn passed(step: &Step) -> Report {
        Report {
            name: step.name,
            verdict: Verdict::Passed,
            tally: Tally::default(),
            log: PathBuf::new(),
        }
    }

    #[test]
    fn two_steps_run_beside_each_other_and_one_that_measures_alone() {
        let mut left = vec![&BUILD, &TIMES, &TESTS, &LINT];
        let mut taken = |running: &[&'static Step]| next(&mut left, running).map(|step| step.name);
        assert_eq!(taken(&[]), Some("build"));
        assert_eq!(taken(&[&BUILD]), Some("lint"), "the others need the build");
        assert_eq!(taken(&[&BUILD, &LINT]), None, "two at most");
        assert_eq!(taken(&[&LINT]), Some("tests"), "`times` runs alone");
        assert_eq!(taken(&[&TESTS]), None);
        assert_eq!(taken(&[]), Some("times"));
        assert_eq!(taken(&[&TIMES]), None);
    }

    #[cfg(target_os = "linux")]
    fn sh(script: &str) -> Command {
        let mut sh = process::command("sh");
        sh.args(["-c", script]);
        sh
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_command_that_does_not_end_at_its_limit_is_over_it() {
        let path = std::env::temp_dir().join(format!("patchbay-step-{}.log", std::process::id()));
        File::create(&path).unwrap();
        let log = Log { path };
        let ended = |script, seconds| {
            let limit = Limit {
                time: Duration::from_secs(seconds),
                grace: Duration::from_millis(100),
            };
            log.run_to_end(&mut sh(script), Some(limit)).unwrap_err()
        };
        for script in ["trap '' TERM; while :; do sleep 1; done", "sleep 60"] {
            assert_eq!(ended(script, 1), format!("`sh -c {script}` was ended after 1 s"));
        }
        for script in ["kill -KILL $$", "exit 137", "exit 124"] {
            let error = ended(script, 600);
            assert!(error.contains("` ended with"), "{error}");
        }
        fs::remove_file(&log.path).unwrap();
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_runs_under_a_limit_ends_with_this_program() {
        use std::io::{BufRead as _, BufReader, Read as _};
        use std::os::unix::process::ExitStatusExt as _;
        let limit = Limit {
            time: Duration::from_secs(30),
            grace: Duration::from_secs(1),
        };
        // Until it waits, `timeout` may not know yet what it started, and would leave it running.
        let script =
            sh("until grep -q '^State:.S' /proc/$PPID/status; do :; done; sleep 60 & echo started; wait");
        let mut timeout = under_limit(&script, limit)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(timeout.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(line, "started\n");
        let mut watch = watch(timeout.id()).unwrap();
        // As the end of this program does.
        drop(watch.stdin.take());
        let status = timeout.wait().unwrap();
        assert_eq!(status.signal(), Some(15), "not at its limit: {status:?}");
        // The end of the output is the end of all that could write to it.
        output.read_to_string(&mut line).unwrap();
        assert!(watch.wait().unwrap().success());
    }

    #[test]
    fn a_step_whose_need_failed_is_not_run() {
        let failed = Report {
            verdict: Verdict::Failed("why".into()),
            ..passed(&BUILD)
        };
        assert_eq!(unmet(&TESTS, &[failed]), Some("build"));
        assert_eq!(unmet(&TESTS, &[passed(&BUILD)]), None);
    }
}
