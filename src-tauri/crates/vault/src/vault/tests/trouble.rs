//! Failures of the keychain, the key and the file. No secret is ever lost.

use super::*;

async fn a_vault(harness: &Harness) -> String {
    put(&harness.open(), "a", TOKEN).await.unwrap();
    harness.text()
}

#[tokio::test]
async fn a_failing_keychain_is_reported_and_not_accessed_again() {
    for error in [
        KeychainError::Absent("no bus".to_owned()),
        KeychainError::Locked("the prompt was dismissed".to_owned()),
        KeychainError::Failed("it broke".to_owned()),
    ] {
        let harness = Harness::new();
        harness.keychain.fail(Some(error.clone()));
        let vault = harness.open();
        let state = needed(put(&vault, "a", TOKEN).await);
        assert!(state.words().contains(&error.to_string()), "{}", state.words());
        let again = match error {
            // The availability is determined once.
            KeychainError::Absent(_) => &[][..],
            _ => &[Offer::Keychain][..],
        };
        assert_eq!(
            offers(&state),
            [again, &[Offer::Passphrase, Offer::Memory]].concat()
        );
        assert_eq!(vault.state(), state);
        assert_eq!(
            harness.files(),
            [""; 0],
            "nothing is written, in plain text or encrypted"
        );

        let asked = harness.keychain.asked();
        assert_eq!(needed(put(&vault, "a", TOKEN).await), state);
        assert_eq!(harness.keychain.asked(), asked);

        assert_eq!(needed(vault.choose(Choice::Keychain).await), state);
        harness.keychain.fail(None);
        vault.choose(Choice::Keychain).await.unwrap();
        put(&vault, "a", TOKEN).await.unwrap();
        assert_eq!(got(&harness.open(), "a").await.as_deref(), Some(TOKEN));
    }
}

#[tokio::test]
async fn a_vault_with_a_locked_keychain_is_not_changed() {
    let harness = Harness::new();
    let text = a_vault(&harness).await;
    harness
        .keychain
        .fail(Some(KeychainError::Locked("locked".to_owned())));
    let vault = harness.open();
    let state = needed(vault.get(&id("a")).await);
    assert_eq!(offers(&state), [Offer::Keychain, Offer::Memory, Offer::SetAside]);
    assert_eq!(needed(put(&vault, "b", "x").await), state);
    assert!(matches!(
        vault.choose(Choice::Passphrase(Secret::new("long enough"))).await,
        Err(VaultError::NotNow(_))
    ));
    assert_eq!(harness.text(), text);

    harness.keychain.fail(None);
    vault.choose(Choice::Keychain).await.unwrap();
    assert_eq!(got(&vault, "a").await.as_deref(), Some(TOKEN));
}

/// What is open stays open; the next start asks again, and loses nothing.
#[tokio::test]
async fn a_keychain_that_goes_away_takes_nothing_with_it() {
    let harness = Harness::new();
    let vault = harness.open();
    put(&vault, "a", TOKEN).await.unwrap();
    let asked = harness.keychain.asked();
    let gone = KeychainError::Failed("the service is gone".to_owned());
    harness.keychain.fail(Some(gone));
    assert_eq!(got(&vault, "a").await.as_deref(), Some(TOKEN));
    put(&vault, "b", "later").await.unwrap();
    vault.remove(vec![id("c")]).await.unwrap();
    assert_eq!(vault.state(), State::Ready(KeyLocation::Keychain));
    assert_eq!(harness.keychain.asked(), asked, "an open vault needs no keychain");

    let text = harness.text();
    let next = harness.open();
    let state = needed(next.get(&id("b")).await);
    assert!(state.words().contains("the service is gone"), "{}", state.words());
    assert_eq!(needed(put(&next, "d", "x").await), state);
    assert_eq!(harness.text(), text);
    harness.keychain.fail(None);
    next.choose(Choice::Keychain).await.unwrap();
    assert_eq!(got(&next, "b").await.as_deref(), Some("later"));
}

#[tokio::test]
async fn a_keychain_prompt_times_out() {
    let mut harness = Harness::new();
    harness.patience = Duration::from_millis(10);
    harness.keychain.silence(true);
    let vault = harness.open();
    let state = needed(put(&vault, "a", TOKEN).await);
    assert!(
        state.words().contains("may be showing a prompt"),
        "{}",
        state.words()
    );
    // The prompt was answered: the next call is quick.
    harness.keychain.silence(false);
    harness.patience = Duration::from_secs(60);
    let vault = harness.open();
    put(&vault, "a", TOKEN).await.unwrap();
}

#[tokio::test]
async fn the_state_is_opening_while_the_keychain_is_accessed() {
    let harness = Harness::new();
    harness.keychain.silence(true);
    let vault = harness.open();
    let mut states = vault.states();
    let asking = tokio::spawn({
        let vault = vault.clone();
        async move { put(&vault, "a", TOKEN).await }
    });
    states.wait_for(|state| *state == State::Opening).await.unwrap();
    asking.abort();
    states.wait_for(|state| *state == State::Unopened).await.unwrap();
    harness.keychain.silence(false);
    put(&vault, "a", TOKEN).await.unwrap();
}

#[tokio::test]
async fn a_missing_or_wrong_key_breaks_the_vault_without_loss() {
    for change in ["gone", "another", "nonsense"] {
        let harness = Harness::new();
        let text = a_vault(&harness).await;
        let kept = harness.keychain.keys.lock().unwrap().clone();
        for key in harness.keychain.keys.lock().unwrap().values_mut() {
            *key = match change {
                "another" => vec![7; 32],
                _ => vec![7; 5],
            };
        }
        if change == "gone" {
            harness.keychain.keys.lock().unwrap().clear();
        }
        let vault = harness.open();
        let state = needed(vault.get(&id("a")).await);
        assert!(
            matches!(&state, State::Broken { file, .. } if *file == harness.file()),
            "{state:?}"
        );
        assert_eq!(offers(&state), [Offer::Keychain, Offer::SetAside, Offer::Memory]);
        assert_eq!(needed(put(&vault, "b", "x").await), state);
        assert_eq!(harness.text(), text);

        // Restored: it opens.
        harness.keychain.keys.lock().unwrap().clone_from(&kept);
        vault.choose(Choice::Keychain).await.unwrap();
        assert_eq!(got(&vault, "a").await.as_deref(), Some(TOKEN));
    }
}

#[tokio::test]
async fn a_vault_that_was_set_aside_can_be_restored() {
    let harness = Harness::new();
    let text = a_vault(&harness).await;
    harness
        .keychain
        .fail(Some(KeychainError::Locked("locked".to_owned())));
    let vault = harness.open();
    needed(vault.get(&id("a")).await);
    vault.choose(Choice::SetAside).await.unwrap();
    assert_eq!(vault.state(), State::Unopened);
    assert_eq!(harness.files(), ["vault.json.aside-1"]);
    assert_eq!(got(&vault, "a").await, None);
    harness.keychain.fail(None);
    put(&vault, "b", "new vault").await.unwrap();
    assert_eq!(harness.files(), ["vault.json", "vault.json.aside-1"]);

    let aside = harness.folder.path().join("vault.json.aside-1");
    assert_eq!(std::fs::read_to_string(&aside).unwrap(), text);
    std::fs::rename(aside, harness.file()).unwrap();
    assert_eq!(
        got(&vault, "a").await.as_deref(),
        Some(TOKEN),
        "its key is still there"
    );
}

#[tokio::test]
async fn a_file_that_is_not_a_vault_is_never_overwritten() {
    let harness = Harness::new();
    let whole = a_vault(&harness).await;
    for text in [
        "",
        "{",
        "[]",
        &whole[..whole.len() / 2],
        &whole.replace("\"patchbayVault\": 1", "\"patchbayVault\": 9"),
    ] {
        std::fs::write(harness.file(), text).unwrap();
        let vault = harness.open();
        let state = needed(vault.get(&id("a")).await);
        assert!(matches!(state, State::Broken { .. }));
        assert_eq!(offers(&state), [Offer::SetAside, Offer::Memory]);
        assert_eq!(needed(put(&vault, "b", "x").await), state);
        assert_eq!(needed(vault.remove(vec![id("a")]).await), state);
        assert_eq!(needed(vault.unlock(Secret::new("passphrase")).await), state);
        assert_eq!(harness.text(), text);
        // A backup replaces it, and works without a restart.
        std::fs::write(harness.file(), &whole).unwrap();
        assert_eq!(got(&vault, "a").await.as_deref(), Some(TOKEN));
        assert_eq!(vault.state(), State::Ready(KeyLocation::Keychain));
    }
}

#[tokio::test]
async fn a_damaged_secret_is_reported_and_the_others_are_readable() {
    let harness = Harness::new();
    let vault = harness.open();
    for (name, value) in [("a", TOKEN), ("b", "other value"), ("c", "third value")] {
        put(&vault, name, value).await.unwrap();
    }
    let mut content: serde_json::Value = serde_json::from_str(&harness.text()).unwrap();
    content["entries"]["a"] = content["entries"]["b"].clone();
    std::fs::write(harness.file(), content.to_string()).unwrap();
    for vault in [harness.open(), vault] {
        assert!(matches!(
            vault.get(&id("a")).await,
            Err(VaultError::Damaged { id, .. }) if id == "a"
        ));
        assert_eq!(got(&vault, "b").await.as_deref(), Some("other value"));
    }
    put(&harness.open(), "a", "entered again").await.unwrap();
    assert_eq!(got(&harness.open(), "a").await.as_deref(), Some("entered again"));
}

#[tokio::test]
async fn an_unwritable_folder_is_reported() {
    let mut harness = Harness::new();
    let blocked = harness.folder.path().join("file");
    std::fs::write(&blocked, "in the way").unwrap();
    harness.patience = Duration::from_secs(60);
    let vault = Vault::open(VaultOptions {
        file: Some(blocked.join("vault.json")),
        keychain: harness.keychain.clone(),
        patience: harness.patience,
        cost: Cost::default(),
        observer: Arc::new(|_| {}),
    });
    let error = put(&vault, "a", TOKEN).await.unwrap_err();
    assert!(matches!(error, VaultError::File { .. }), "{error}");
    assert!(!error.to_string().contains(TOKEN));
}
