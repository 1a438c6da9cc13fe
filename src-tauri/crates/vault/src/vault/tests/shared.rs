//! Several programs with one vault.

use super::*;

#[tokio::test]
async fn concurrent_writes_of_two_programs_are_both_kept() {
    let harness = Harness::new();
    let programs = [harness.open(), harness.open()];
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..20 {
        let vault = programs[n % 2].clone();
        tasks.spawn(async move { put(&vault, &format!("secret {n:02}"), &format!("value {n:02}")).await });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap().unwrap();
    }
    let again = harness.open();
    for n in 0..20 {
        assert_eq!(
            got(&again, &format!("secret {n:02}")).await,
            Some(format!("value {n:02}"))
        );
    }
    assert_eq!(
        harness.keychain.keys.lock().unwrap().len(),
        1,
        "the loser removed its key"
    );
}

#[tokio::test]
async fn changes_of_another_program_are_visible() {
    let harness = Harness::new();
    let (one, two) = (harness.open(), harness.open());
    put(&one, "a", "first value").await.unwrap();
    assert_eq!(got(&two, "a").await.as_deref(), Some("first value"));
    put(&two, "a", "second value").await.unwrap();
    assert_eq!(got(&one, "a").await.as_deref(), Some("second value"));
    two.remove(vec![id("a")]).await.unwrap();
    assert_eq!(got(&one, "a").await, None);
    // A passphrase set by another program does not lock out a program that has the key.
    put(&one, "a", "third value").await.unwrap();
    two.choose(Choice::Passphrase(Secret::new("long enough")))
        .await
        .unwrap();
    assert_eq!(got(&one, "a").await.as_deref(), Some("third value"));
    assert_eq!(one.state(), State::Ready(KeyLocation::Passphrase));
}

#[tokio::test]
async fn a_vault_created_elsewhere_is_found_after_a_failure() {
    let harness = Harness::new();
    harness
        .keychain
        .fail(Some(KeychainError::Absent("no bus".to_owned())));
    let (one, two) = (harness.open(), harness.open());
    needed(put(&one, "a", TOKEN).await);
    two.choose(Choice::Passphrase(Secret::new("long enough")))
        .await
        .unwrap();
    assert_eq!(needed(put(&one, "a", TOKEN).await), State::Locked);
    one.unlock(Secret::new("long enough")).await.unwrap();
    put(&one, "a", TOKEN).await.unwrap();
    assert_eq!(got(&two, "a").await.as_deref(), Some(TOKEN));
}
