//! Programs that are run to their end.

use super::{Lifeline, sh};
use crate::stdio::{Duration, Exit, StdioConfig, run_to_end};

const LONG: Duration = Duration::from_secs(60);

async fn run(config: &StdioConfig, limit: Duration) -> (Result<Option<Exit>, String>, String) {
    let mut output = Vec::new();
    let ended = run_to_end(config, limit, |part| output.extend_from_slice(part)).await;
    let ended = ended.map_err(|failure| failure.cause);
    (ended, String::from_utf8_lossy(&output).into_owned())
}

/// A script that holds the lifeline, as all that it starts does.
fn held(life: &Lifeline, script: &str) -> StdioConfig {
    let script = format!("exec 9>\"$LIFE\"; {script}");
    sh(&script, &[("LIFE", &life.path().display().to_string())])
}

#[tokio::test]
async fn a_build_has_the_folder_and_the_variables_of_the_server_and_no_input() {
    let config = sh(
        r#"echo "$PWD $COLOUR"; echo problem >&2; cat; exit 3"#,
        &[("COLOUR", "green")],
    );
    let (ended, output) = run(&config, LONG).await;
    assert_eq!(ended, Ok(Some(Exit::Code(3))));
    // The two pipes are read independently.
    assert!(
        output.contains("/ green\n") && output.contains("problem\n"),
        "{output}"
    );
}

#[tokio::test]
async fn what_a_build_leaves_running_ends_with_it() {
    let life = Lifeline::new();
    // It holds stdout, so that the end of the build is not the end of the pipe.
    let config = held(&life, "sleep 1000 & echo started");
    let ((ended, output), gone) = tokio::join!(run(&config, LONG), life.held());
    assert_eq!((ended, output.as_str()), (Ok(Some(Exit::Code(0))), "started\n"));
    gone.await;
}

#[tokio::test]
async fn a_build_that_takes_too_long_is_ended_with_all_it_started() {
    let life = Lifeline::new();
    let config = held(&life, "sleep 1000 & wait");
    // It has begun by then, also on a busy machine.
    let limit = Duration::from_secs(5);
    let ((ended, _), gone) = tokio::join!(run(&config, limit), life.held());
    assert_eq!(ended, Ok(None));
    gone.await;
}

#[tokio::test]
async fn a_build_that_nobody_waits_for_is_ended() {
    let life = Lifeline::new();
    let config = held(&life, "sleep 1000");
    let build = tokio::spawn(async move { run_to_end(&config, LONG, |_| {}).await });
    let gone = life.held().await;
    build.abort();
    assert!(build.await.unwrap_err().is_cancelled());
    gone.await;
}

#[tokio::test]
async fn a_build_whose_program_is_missing_is_an_error() {
    let config = StdioConfig {
        command: "no-such-program".to_owned(),
        ..sh("", &[])
    };
    let (ended, output) = run(&config, LONG).await;
    let cause = ended.unwrap_err();
    assert!(cause.contains("no-such-program") && output.is_empty(), "{cause}");
}
