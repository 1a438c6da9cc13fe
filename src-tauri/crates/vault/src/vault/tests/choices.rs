//! Passphrase, memory, and moving between them.

use super::*;

const PASSPHRASE: &str = "correct horse battery";

fn passphrase(text: &str) -> Choice {
    Choice::Passphrase(Secret::new(text))
}

async fn without_keychain() -> (Harness, Vault) {
    let harness = Harness::new();
    harness
        .keychain
        .fail(Some(KeychainError::Absent("no bus".to_owned())));
    let vault = harness.open();
    needed(put(&vault, "a", TOKEN).await);
    (harness, vault)
}

#[tokio::test]
async fn a_passphrase_replaces_the_keychain() {
    let (harness, vault) = without_keychain().await;
    assert!(matches!(
        vault.choose(passphrase("1234567")).await,
        Err(VaultError::NotNow(_))
    ));
    vault.choose(passphrase(PASSPHRASE)).await.unwrap();
    assert_eq!(vault.state(), State::Ready(KeyLocation::Passphrase));
    put(&vault, "a", TOKEN).await.unwrap();
    assert!(!harness.text().contains(TOKEN) && !harness.text().contains(PASSPHRASE));

    let again = harness.open();
    assert_eq!(
        got(&again, "none").await,
        None,
        "a missing secret needs no passphrase"
    );
    assert_eq!(needed(again.get(&id("a")).await), State::Locked);
    assert_eq!(needed(put(&again, "b", "x").await), State::Locked);
    let wrong = again.unlock(Secret::new("correct horse batter")).await;
    assert!(matches!(wrong, Err(VaultError::WrongPassphrase)));
    assert_eq!(again.state(), State::Locked);
    again.unlock(Secret::new(PASSPHRASE)).await.unwrap();
    assert_eq!(again.state(), State::Ready(KeyLocation::Passphrase));
    assert_eq!(got(&again, "a").await.as_deref(), Some(TOKEN));
    assert!(harness.reported().contains(&TOKEN.to_owned()));
}

#[tokio::test]
async fn a_passphrase_can_be_changed_or_replaced_by_a_keychain() {
    let (harness, vault) = without_keychain().await;
    vault.choose(passphrase(PASSPHRASE)).await.unwrap();
    put(&vault, "a", TOKEN).await.unwrap();
    vault.choose(passphrase("another passphrase")).await.unwrap();
    let again = harness.open();
    assert!(matches!(
        again.unlock(Secret::new(PASSPHRASE)).await,
        Err(VaultError::WrongPassphrase)
    ));
    again.unlock(Secret::new("another passphrase")).await.unwrap();

    assert!(matches!(
        again.choose(Choice::Keychain).await,
        Err(VaultError::NotNow(_))
    ));
    assert_eq!(again.state(), State::Ready(KeyLocation::Passphrase), "as it was");
    harness.keychain.fail(None);
    again.choose(Choice::Keychain).await.unwrap();
    assert_eq!(again.state(), State::Ready(KeyLocation::Keychain));
    assert_eq!(got(&harness.open(), "a").await.as_deref(), Some(TOKEN));

    again.choose(passphrase(PASSPHRASE)).await.unwrap();
    assert_eq!(
        harness.keychain.keys.lock().unwrap().len(),
        0,
        "the key was removed from the keychain"
    );
    assert_eq!(needed(harness.open().get(&id("a")).await), State::Locked);
}

#[tokio::test]
async fn memory_only_writes_nothing_to_disk() {
    let (harness, vault) = without_keychain().await;
    vault.choose(Choice::Memory).await.unwrap();
    assert_eq!(vault.state(), State::Ready(KeyLocation::Memory));
    put(&vault, "a", TOKEN).await.unwrap();
    assert_eq!(got(&vault, "a").await.as_deref(), Some(TOKEN));
    assert_eq!(vault.ids().await.unwrap(), [id("a")]);
    assert_eq!(harness.files(), [""; 0]);
    assert_eq!(got(&harness.open(), "a").await, None);

    // Secrets in memory move when a better location is available.
    needed(vault.choose(Choice::Keychain).await);
    assert_eq!(vault.state(), State::Ready(KeyLocation::Memory));
    assert_eq!(got(&vault, "a").await.as_deref(), Some(TOKEN));
    vault.choose(passphrase(PASSPHRASE)).await.unwrap();
    let again = harness.open();
    again.unlock(Secret::new(PASSPHRASE)).await.unwrap();
    assert_eq!(got(&again, "a").await.as_deref(), Some(TOKEN));
}

#[tokio::test]
async fn memory_beside_a_locked_vault_does_not_change_it() {
    let harness = Harness::new();
    put(&harness.open(), "a", TOKEN).await.unwrap();
    let text = harness.text();
    harness
        .keychain
        .fail(Some(KeychainError::Locked("locked".to_owned())));
    let vault = harness.open();
    needed(vault.get(&id("a")).await);
    vault.choose(Choice::Memory).await.unwrap();
    put(&vault, "b", "for now").await.unwrap();
    vault.remove(vec![id("a")]).await.unwrap();
    assert_eq!(harness.text(), text);
    harness.keychain.fail(None);
    vault.choose(Choice::Keychain).await.unwrap();
    assert_eq!(got(&vault, "a").await.as_deref(), Some(TOKEN));
    assert_eq!(got(&harness.open(), "b").await.as_deref(), Some("for now"));
}

#[tokio::test]
async fn impossible_choices_are_rejected_with_a_reason() {
    let harness = Harness::new();
    let vault = harness.open();
    put(&vault, "a", TOKEN).await.unwrap();
    for choice in [Choice::Memory, Choice::SetAside] {
        assert!(matches!(vault.choose(choice).await, Err(VaultError::NotNow(_))));
    }
    assert!(matches!(
        vault.unlock(Secret::new(PASSPHRASE)).await,
        Err(VaultError::NotNow(_))
    ));
    let empty = Harness::new();
    assert!(matches!(
        empty.open().choose(Choice::SetAside).await,
        Err(VaultError::NotNow(_))
    ));
    let memory = Vault::open(VaultOptions {
        file: None,
        keychain: Arc::new(crate::NoKeychain),
        patience: Duration::ZERO,
        cost: Cost::default(),
        observer: Arc::new(|_| {}),
    });
    assert_eq!(memory.state(), State::Ready(KeyLocation::Memory));
    put(&memory, "a", TOKEN).await.unwrap();
    assert_eq!(got(&memory, "a").await.as_deref(), Some(TOKEN));
    assert!(matches!(
        memory.choose(passphrase(PASSPHRASE)).await,
        Err(VaultError::NotNow(_))
    ));
}

#[tokio::test]
async fn what_changes_in_memory_while_it_moves_is_kept() {
    let (harness, vault) = without_keychain().await;
    harness.open().choose(passphrase(PASSPHRASE)).await.unwrap();
    vault.choose(Choice::Memory).await.unwrap();
    for name in ["changed", "removed", "unchanged"] {
        put(&vault, name, "first value").await.unwrap();
    }
    // Another program is writing.
    let turns = crate::exclusive::Turns::default();
    let turn = turns.take(Some(&harness.file()), "write").await.unwrap();
    let mut states = vault.states();
    let unlocking = tokio::spawn({
        let vault = vault.clone();
        async move { vault.unlock(Secret::new(PASSPHRASE)).await }
    });
    // It is open, and waits for the lock to write what was in memory.
    states
        .wait_for(|state| *state == State::Ready(KeyLocation::Passphrase))
        .await
        .unwrap();
    put(&vault, "changed", "second value").await.unwrap();
    put(&vault, "added", "new value").await.unwrap();
    vault.remove(vec![id("removed")]).await.unwrap();
    drop(turn);
    let limit = Duration::from_secs(30);
    tokio::time::timeout(limit, unlocking)
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    let again = harness.open();
    again.unlock(Secret::new(PASSPHRASE)).await.unwrap();
    for vault in [vault, again] {
        let ids = ["added", "changed", "unchanged"].map(id);
        assert_eq!(vault.ids().await.unwrap(), ids);
        assert_eq!(got(&vault, "changed").await.as_deref(), Some("second value"));
        assert_eq!(got(&vault, "added").await.as_deref(), Some("new value"));
    }
}

#[tokio::test]
async fn what_is_in_the_file_is_told_without_opening_it() {
    let (harness, vault) = without_keychain().await;
    assert_eq!(vault.stored().await, None);
    vault.choose(passphrase(PASSPHRASE)).await.unwrap();
    put(&vault, "a", TOKEN).await.unwrap();
    let again = harness.open();
    assert_eq!(again.stored().await, Some(Stored::Passphrase));
    assert_eq!(again.state(), State::Unopened);
    // The vault beside which secrets are in memory only can still be unlocked, and takes them.
    again.choose(Choice::Memory).await.unwrap();
    put(&again, "b", "for now").await.unwrap();
    assert_eq!(again.stored().await, Some(Stored::Passphrase));
    again.unlock(Secret::new(PASSPHRASE)).await.unwrap();
    assert_eq!(got(&again, "a").await.as_deref(), Some(TOKEN));
    assert_eq!(got(&again, "b").await.as_deref(), Some("for now"));

    let other = Harness::new();
    put(&other.open(), "a", TOKEN).await.unwrap();
    let vault = other.open();
    assert_eq!(vault.stored().await, Some(Stored::Keychain));
    std::fs::write(other.file(), "{").unwrap();
    assert_eq!(vault.stored().await, Some(Stored::Unreadable));
    assert_eq!(vault.state(), State::Unopened);
}

#[tokio::test]
async fn secrets_in_memory_stay_when_the_file_beside_them_is_damaged() {
    let (harness, vault) = without_keychain().await;
    vault.choose(Choice::Memory).await.unwrap();
    put(&vault, "a", TOKEN).await.unwrap();
    std::fs::write(harness.file(), "{").unwrap();
    needed(vault.choose(Choice::Keychain).await);
    vault.choose(Choice::Memory).await.unwrap();
    assert_eq!(vault.state(), State::Ready(KeyLocation::Memory));
    assert_eq!(got(&vault, "a").await.as_deref(), Some(TOKEN));
}

#[tokio::test]
async fn what_is_not_needed_any_more_leaves_a_locked_vault_too() {
    let (harness, vault) = without_keychain().await;
    vault.choose(passphrase(PASSPHRASE)).await.unwrap();
    for name in ["one/a", "one/b", "other/a"] {
        put(&vault, name, TOKEN).await.unwrap();
    }
    let again = harness.open();
    again.choose(Choice::Memory).await.unwrap();
    put(&again, "one/c", TOKEN).await.unwrap();
    put(&again, "other/b", TOKEN).await.unwrap();
    again.remove_below("one/").await.unwrap();
    assert_eq!(again.state(), State::Ready(KeyLocation::Memory));
    assert_eq!(again.ids().await.unwrap(), [id("other/b")]);
    let locked = harness.open();
    assert_eq!(locked.ids().await.unwrap(), [id("other/a")]);
    locked.remove_below("other/").await.unwrap();
    assert_eq!(locked.ids().await.unwrap(), []);

    // A damaged file is left as it is.
    std::fs::write(harness.file(), "{").unwrap();
    again.remove_below("other/").await.unwrap();
    assert_eq!(again.state(), State::Ready(KeyLocation::Memory));
    assert_eq!(harness.text(), "{");
}
