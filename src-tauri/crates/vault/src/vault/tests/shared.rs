//! Several programs with one vault.

use super::*;

#[tokio::test]
async fn two_programs_write_at_once_and_nothing_is_lost() {
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
        "whose vault was not created took its key back"
    );
}

#[tokio::test]
async fn what_another_program_changed_is_seen() {
    let harness = Harness::new();
    let (one, two) = (harness.open(), harness.open());
    put(&one, "a", "first value").await.unwrap();
    assert_eq!(got(&two, "a").await.as_deref(), Some("first value"));
    put(&two, "a", "second value").await.unwrap();
    assert_eq!(got(&one, "a").await.as_deref(), Some("second value"));
    two.remove(vec![id("a")]).await.unwrap();
    assert_eq!(got(&one, "a").await, None);
    // A passphrase chosen elsewhere does not lock out who has the key.
    put(&one, "a", "third value").await.unwrap();
    two.choose(Choice::Passphrase(Secret::new("long enough")))
        .await
        .unwrap();
    assert_eq!(got(&one, "a").await.as_deref(), Some("third value"));
    assert_eq!(one.state(), State::Ready(KeyLocation::Passphrase));
}

#[tokio::test]
async fn a_vault_begun_elsewhere_is_found_by_who_was_stuck() {
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
