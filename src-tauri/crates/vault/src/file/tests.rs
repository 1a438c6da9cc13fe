use proptest::prelude::*;

use super::*;

fn parsed(text: &str) -> String {
    Content::parse(text.as_bytes()).unwrap_err().0
}

#[test]
fn a_file_that_is_not_a_vault_is_rejected_with_a_reason() {
    assert!(parsed("").starts_with("it is not a vault file"));
    assert!(parsed(r#"{"mcpServers": {}}"#).starts_with("it is not a vault file"));
    assert_eq!(
        parsed(r#"{"patchbayVault": 2, "other": true}"#),
        "its version is 2, but this Patchbay supports version 1"
    );
    assert!(
        parsed(
            r#"{"patchbayVault": 1, "id": "a", "key": {"kept": "keychain"}, "check": "!", "entries": {}}"#
        )
        .contains("invalid base64")
    );
    assert_eq!(
        parsed(
            r#"{"patchbayVault": 1, "id": "a", "check": "", "entries": {}, "key": {"kept": "passphrase", "salt": "", "sealed": "",
                "argon2id": {"memoryKib": 4000000000, "passes": 1, "lanes": 1}}}"#
        ),
        "it requires more memory or time than a vault may use"
    );
}

#[test]
fn the_file_is_written_atomically_and_private() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new").join("vault.json");
    let key = Key::random().unwrap();
    let content = Content::new(&key).unwrap();
    write(&path, &content).unwrap();
    assert_eq!(read(&path).unwrap().unwrap().unwrap(), content);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
    let others = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(others, 1, "nothing is left beside it");
}

#[test]
fn a_write_that_does_not_reach_the_disk_is_an_error_and_keeps_the_old_vault() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vault.json");
    let old = Content::new(&Key::random().unwrap()).unwrap();
    write(&path, &old).unwrap();
    let new = Content::new(&Key::random().unwrap()).unwrap();
    let error = write_synced(&path, &new, |_| Err(std::io::Error::other("the disk is gone"))).unwrap_err();
    assert!(error.to_string().contains("the disk is gone"), "{error}");
    assert_eq!(read(&path).unwrap().unwrap().unwrap(), old);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

proptest! {
    // Ciphers are slow without optimization.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn values_are_bound_to_their_names(values: std::collections::BTreeMap<String, String>) {
        let key = Key::random().unwrap();
        let mut content = Content::new(&key).unwrap();
        for (id, value) in &values {
            content.put(&key, SecretId(id.clone()), &Secret::new(value.clone())).unwrap();
        }
        let text = serde_json::to_vec(&content).unwrap();
        let read = Content::parse(&text).unwrap();
        prop_assert_eq!(&read, &content);
        for (id, value) in &values {
            let got = read.get(&key, &SecretId(id.clone())).unwrap().unwrap();
            prop_assert_eq!(got.expose(), value);
        }
        // A secret moved to another id is rejected.
        let mut swapped = read.clone();
        let all: Vec<_> = read.entries.iter().collect();
        if let [(one, a), (two, b), ..] = all[..] {
            swapped.entries.insert(one.clone(), b.clone());
            swapped.entries.insert(two.clone(), a.clone());
            prop_assert!(swapped.get(&key, one).is_err() && swapped.get(&key, two).is_err());
        }
    }
}
