//! A fake emulator on PATH.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use super::*;
use crate::{EnvironmentSource, stdio::tests::executable};

/// The pause between two looks at what tells of no change.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// A folder with fake programs, and the environment of a desktop that finds them.
struct Desktop {
    folder: tempfile::TempDir,
    environment: Environment,
}

impl Desktop {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = format!("{}:/usr/bin:/bin", folder.path().display());
        let vars = [
            ("PATH", path.as_str()),
            ("HOME", folder.path().to_str().unwrap()),
            ("DISPLAY", ":0"),
            ("TERM_PROGRAM", "fake"),
            ("LEFT_OUT", "1"),
            ("SHELL", "/bin/true"),
        ];
        let vars = vars.iter().map(|(name, value)| (name.into(), value.into()));
        let environment = Environment {
            vars: vars.collect(),
            source: EnvironmentSource::Inherited,
            shell: None,
            problem: None,
            withheld: 0,
        };
        Self { folder, environment }
    }

    fn program(&self, name: &str, text: &str) {
        executable(&self.folder.path().join(name), &format!("#!/bin/sh\n{text}"));
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// Waits until a program has written a file to its end.
    async fn written(&self, name: &str) -> String {
        let file = self.file(name);
        let begun = Instant::now();
        let read = move || {
            loop {
                match std::fs::read_to_string(&file) {
                    Ok(text) if text.ends_with("end\n") => return text,
                    text => assert!(begun.elapsed() < Duration::from_secs(55), "{file:?}: {text:?}"),
                }
                std::thread::sleep(BETWEEN_LOOKS);
            }
        };
        tokio::task::spawn_blocking(read).await.unwrap()
    }

    fn server(&self, args: &[&str], env: &[(&str, &str)], cwd: &Path) -> StdioConfig {
        let own = |text: &&str| (*text).to_owned();
        let mut environment = self.environment.clone();
        environment
            .vars
            .retain(|(name, _)| name != "LEFT_OUT" && name != "TERM_PROGRAM");
        StdioConfig {
            command: "server".to_owned(),
            args: args.iter().map(own).collect(),
            env: env.iter().map(|(name, value)| (own(name), own(value))).collect(),
            cwd: Some(cwd.to_owned()),
            environment: Arc::new(environment),
        }
    }

    async fn open(&self, config: &StdioConfig, chosen: &[&str]) -> Result<String, Failure> {
        let chosen: Vec<String> = chosen.iter().map(|&word| word.to_owned()).collect();
        open_terminal(&TerminalRun {
            config,
            shown: "server ••••",
            title: "notes",
            chosen: &chosen,
            desktop: &self.environment,
        })
        .await
    }
}

/// An emulator that notes its words and runs them, as one that stays open does.
const EMULATOR: &str = r#"printf '%s\n' "$0" "$@" end > "$HOME/words"; shift; "$@" > "$HOME/screen" < /dev/null; echo end >> "$HOME/screen""#;
/// A server that notes what it got.
const SERVER: &str = r#"{ pwd; printf '%s\n' "$#" "$@"; env; echo end; } > "$HOME/got"; exit 3"#;

#[tokio::test]
async fn the_program_runs_in_its_folder_with_its_variables_and_no_secret_is_in_the_words() {
    let desktop = Desktop::new();
    desktop.program("x-terminal-emulator", EMULATOR);
    desktop.program("server", SERVER);
    let cwd = desktop.file("a folder's place");
    std::fs::create_dir(&cwd).unwrap();
    let secret = "s3cret $HOME 'quoted'\nsecond line";
    let config = desktop.server(
        &["--key", "it's $1", ""],
        &[("API_KEY", secret), ("1BAD", "x")],
        &cwd,
    );
    let opened = desktop.open(&config, &[]).await.unwrap();
    assert!(opened.ends_with("/x-terminal-emulator"), "{opened}");
    let got = desktop.written("got").await;
    assert!(
        got.starts_with(&format!("{}\n3\n--key\nit's $1\n\n", cwd.display())),
        "{got}"
    );
    assert!(got.contains(&format!("API_KEY={secret}\n")), "{got}");
    assert!(got.contains("TERM_PROGRAM=fake\n"), "the terminal's own: {got}");
    assert!(!got.contains("LEFT_OUT") && !got.contains("1BAD"), "{got}");
    let screen = desktop.written("screen").await;
    assert!(screen.contains("server ••••\n"), "{screen}");
    assert!(screen.contains("[Ended with exit code 3."), "{screen}");
    let words = desktop.written("words").await;
    let words: Vec<&str> = words.lines().collect();
    assert_eq!((words[1], words[2]), ("-e", "/bin/sh"));
    assert!(!words.join("\n").contains("s3cret"));
    assert!(!Path::new(words[3]).exists(), "the pipe is gone");
}

#[tokio::test]
async fn the_chosen_terminal_is_used_with_its_words() {
    let desktop = Desktop::new();
    desktop.program("x-terminal-emulator", "exit 1");
    desktop.program(
        "mine",
        r#"printf '%s\n' "$@" end > "$HOME/words"; shift 2; "$1" "$2""#,
    );
    desktop.program("server", SERVER);
    let config = desktop.server(&[], &[], desktop.folder.path());
    let chosen = [desktop.file("mine").display().to_string()];
    desktop
        .open(&config, &[&chosen[0], "--title", "a b", "{}", "--last"])
        .await
        .unwrap();
    let words = desktop.written("words").await;
    let words: Vec<&str> = words.lines().collect();
    assert_eq!(
        (words[0], words[1], words[2], words[4]),
        ("--title", "a b", "/bin/sh", "--last")
    );
    desktop.written("got").await;
}

/// A terminal whose window belongs to a process that runs already: its own process ends at once.
#[tokio::test]
async fn an_emulator_may_end_before_the_shell_runs() {
    let desktop = Desktop::new();
    desktop.program("xterm", r#"shift; ( "$@" < /dev/null > /dev/null 2>&1 & )"#);
    desktop.program("server", SERVER);
    let config = desktop.server(&[], &[], desktop.folder.path());
    // Others that are installed here come first.
    desktop.open(&config, &["xterm"]).await.unwrap();
    desktop.written("got").await;
}

#[tokio::test]
async fn what_is_wrong_is_named_with_what_to_do() {
    let desktop = Desktop::new();
    desktop.program("broken", "echo 'cannot open display' >&2; exit 4");
    let here = desktop.server(&[], &[], desktop.folder.path());
    let failure = desktop.open(&here, &["broken"]).await.unwrap_err();
    assert!(failure.cause.contains("ended with an error"), "{}", failure.cause);
    assert_eq!(failure.detail.as_deref(), Some("cannot open display"));
    assert!(failure.next.contains("copy the command"), "{}", failure.next);
    let missing = desktop.open(&here, &["no-such-terminal"]).await.unwrap_err();
    assert_eq!(
        missing.cause,
        "The terminal \"no-such-terminal\" of the settings was not found."
    );
    let nowhere = desktop.server(&[], &[], Path::new("/no/such/folder"));
    let failure = desktop.open(&nowhere, &["broken"]).await.unwrap_err();
    assert_eq!(failure.cause, "The folder /no/such/folder does not exist.");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn without_a_desktop_or_an_emulator_that_is_said() {
    let mut desktop = Desktop::new();
    let here = desktop.server(&[], &[], desktop.folder.path());
    for (name, value) in &mut desktop.environment.vars {
        if name == "PATH" {
            *value = "/no/such/folder".into();
        }
    }
    let failure = desktop.open(&here, &[]).await.unwrap_err();
    assert_eq!(failure.cause, "No terminal emulator was found.");
    let detail = failure.detail.unwrap();
    assert!(
        detail.contains("gnome-terminal") && detail.contains("/no/such/folder"),
        "{detail}"
    );
    desktop.environment.vars.retain(|(name, _)| name != "DISPLAY");
    let failure = desktop.open(&here, &[]).await.unwrap_err();
    assert!(
        failure.cause.starts_with("There is no desktop session"),
        "{}",
        failure.cause
    );
}
