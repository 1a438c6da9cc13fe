use super::*;

async fn shell(script: &str, limit: Duration, most: u64) -> Result<String, String> {
    let args = ["-c".to_owned(), script.to_owned()];
    let output = output_of("sh", &args, &Environment::inherited(), limit, most).await?;
    Ok(String::from_utf8(output).unwrap())
}

const LONG: Duration = Duration::from_secs(30);

#[tokio::test]
async fn the_output_of_a_program_is_bounded_in_size_and_time() {
    assert_eq!(shell("printf token", LONG, 5).await.unwrap(), "token");
    assert_eq!(
        shell("printf tokens", LONG, 5).await.unwrap_err(),
        "printed more than 5 bytes."
    );
    // Endless output does not fill the memory.
    assert_eq!(
        shell("yes", LONG, 1000).await.unwrap_err(),
        "printed more than 1000 bytes."
    );
    let slow = shell("sleep 60", Duration::from_millis(50), 5).await.unwrap_err();
    assert_eq!(slow, "did not end within 0.05 s.");
}

#[tokio::test]
async fn a_failure_says_what_the_program_said() {
    let failed = shell("printf secret; echo 'not logged in' >&2; exit 3", LONG, 100)
        .await
        .unwrap_err();
    assert_eq!(failed, "failed (exit status: 3): not logged in");
    // Whatever else it writes, it is not killed for it, and the end of it is the cause.
    let talkative = "for _ in $(seq 1000); do echo 'a warning of no importance' >&2; done";
    let token = shell(&format!("{talkative}; printf token"), LONG, 5).await;
    assert_eq!(token.unwrap(), "token");
    let failed = shell(&format!("{talkative}; echo 'not logged in' >&2; exit 3"), LONG, 5).await;
    let failed = failed.unwrap_err();
    assert!(
        failed.ends_with("\nnot logged in") && failed.len() < 2200,
        "{failed}"
    );
    let missing = output_of("/no/such/program", &[], &Environment::inherited(), LONG, 5).await;
    assert!(missing.unwrap_err().starts_with("could not be started: "));
}

#[cfg(unix)]
#[tokio::test]
async fn what_the_program_started_ends_when_nobody_waits_for_it_any_more() {
    let life = crate::stdio::tests::Lifeline::new();
    let script = format!("exec 9>'{}'; sleep 300 & wait", life.path().display());
    let mut run = Box::pin(shell(&script, LONG, 100));
    let gone = tokio::select! {
        printed = &mut run => panic!("{printed:?}"),
        gone = life.held() => gone,
    };
    drop(run);
    gone.await;
}
