use std::sync::{Arc, LazyLock};

use keyring_core::{api::CredentialStoreApi as _, mock};

use super::*;

static STORE: LazyLock<Arc<mock::Store>> = LazyLock::new(|| mock::Store::new().unwrap());

fn mocked() -> SystemKeychain {
    SystemKeychain {
        entry: |name| STORE.build(SERVICE, name, None).map_err(failed),
    }
}

/// Makes the next call for `name` fail.
fn fail(name: &str, error: Error) {
    let entry = mocked().entry(name).unwrap();
    entry
        .as_any()
        .downcast_ref::<mock::Cred>()
        .unwrap()
        .set_error(error);
}

fn cause(words: &str) -> Box<dyn std::error::Error + Send + Sync> {
    words.into()
}

#[test]
fn a_key_is_stored_and_removed() {
    let keychain = mocked();
    assert_eq!(keychain.read("kept"), Ok(None));
    keychain.write("kept", b"\0\xffkey").unwrap();
    assert_eq!(keychain.read("kept"), Ok(Some(b"\0\xffkey".to_vec())));
    keychain.remove("kept").unwrap();
    assert_eq!(keychain.read("kept"), Ok(None));
    assert_eq!(keychain.remove("kept"), Ok(()));
}

#[test]
fn system_errors_are_converted() {
    let keychain = mocked();
    let check = |error: Error, expected: KeychainError| {
        fail("errors", error);
        assert_eq!(keychain.read("errors"), Err(expected));
    };
    check(
        Error::NoStorageAccess(cause("the prompt was dismissed")),
        KeychainError::Locked("the prompt was dismissed".to_owned()),
    );
    check(
        Error::PlatformFailure(cause("the bus is gone")),
        KeychainError::Failed("the bus is gone".to_owned()),
    );
    check(
        Error::BadEncoding(b"hunter2-hunter2".to_vec()),
        KeychainError::Failed("its content is not what was stored".to_owned()),
    );
    fail("errors", Error::NoStorageAccess(cause("locked")));
    assert_eq!(
        keychain.write("errors", b"key"),
        Err(KeychainError::Locked("locked".to_owned()))
    );
    fail("errors", Error::NoStorageAccess(cause("locked")));
    assert_eq!(
        keychain.remove("errors"),
        Err(KeychainError::Locked("locked".to_owned()))
    );
}
