//! The settings of the proxy, and what goes through it.

use std::sync::Arc;

use patchbay_contract::{ProxyMode, ProxySettings};
use patchbay_http::ProxyChoice;
use serde_json::{Value, json};

use super::{bypass, checked};
use crate::{
    connections::testing::HeldKeychain,
    engine::testing::{attended, call, files_with, only_secret, refusal},
};

fn manual(url: &str) -> ProxySettings {
    ProxySettings {
        mode: ProxyMode::Manual,
        url: url.to_owned(),
        ..ProxySettings::default()
    }
}

#[test]
fn wrong_settings_are_refused_with_the_cause() {
    for (url, why) in [
        ("", "needs a URL"),
        ("proxy:3128x", "not proxy:"),
        ("proxy.example", "cannot be read"),
        (
            "ftp://h:1",
            "begins with http://, https:// or socks5://, not ftp:",
        ),
        ("http://user:pw@h:1", "in their own fields"),
        ("http://h:1/path", "ends with its port"),
        ("http://h:99999", "cannot be read"),
    ] {
        let error = checked(manual(url)).unwrap_err();
        assert!(error.contains(why), "{url}: {error}");
    }
    for url in [
        "http://h:1",
        "https://proxy.example",
        "socks5://[::1]:1080",
        " socks5h://h:1/ ",
    ] {
        checked(manual(url)).unwrap();
    }
    // Not used, and kept.
    let mut kept = manual("http://h:1");
    kept.mode = ProxyMode::None;
    assert_eq!(checked(kept.clone()).unwrap(), kept);
}

#[test]
fn the_list_of_hosts_is_put_in_order() {
    let list = "*.corp.example, corp.example 10.0.0.0/8;[fd00::1]\nfd00::/8, printer";
    assert_eq!(
        bypass(list).unwrap(),
        "corp.example, 10.0.0.0/8, fd00::1, fd00::/8, printer"
    );
    assert_eq!(bypass("*").unwrap(), "*");
    for wrong in ["http://a", "a:80", "a/b", "10.0.0.0/33", "a*b", "<local>"] {
        assert!(bypass(wrong).unwrap_err().contains(wrong), "{wrong}");
    }
    assert!(bypass(&"a,".repeat(3000)).is_err());
}

fn params(password: &Value) -> Value {
    json!({
        "settings": {"mode": "manual", "url": "http://proxy.example:3128", "user": "me", "bypass": "*.corp.example"},
        "password": password,
    })
}

#[tokio::test]
async fn the_password_is_in_the_vault_only_and_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let secret = "s3cr3t-0f-the-proxy";
    let set = params(&json!({"type": "set", "text": secret}));
    call(&engine, "proxy_set", set).await;
    let got = call(&engine, "proxy_get", json!({})).await;
    assert_eq!(got["hasPassword"], true);
    assert_eq!(got["settings"]["bypass"], "corp.example");
    let ProxyChoice::Except { url, bypass } = engine.state.proxy.choice() else {
        panic!("not manual");
    };
    assert_eq!(url, format!("http://me:{secret}@proxy.example:3128/"));
    assert_eq!(bypass, "corp.example");
    assert!(!engine.state.masked(format!("x {secret} y")).contains(secret));
    // Kept when the other settings change, gone when it is removed or has no user name.
    call(&engine, "proxy_set", params(&json!({"type": "keep"}))).await;
    assert_eq!(call(&engine, "proxy_get", json!({})).await["hasPassword"], true);
    call(&engine, "proxy_set", params(&json!({"type": "none"}))).await;
    assert_eq!(call(&engine, "proxy_get", json!({})).await["hasPassword"], false);
    let mut nobody = params(&json!({"type": "set", "text": secret}));
    nobody["settings"]["user"] = json!("");
    assert!(
        refusal(&engine, "proxy_set", nobody)
            .await
            .contains("needs a user name")
    );
    engine.shutdown().await;
    assert_eq!(files_with(folder.path(), secret), [""; 0]);
    let engine = attended(&folder).await;
    let got = call(&engine, "proxy_get", json!({})).await;
    assert_eq!(got["settings"]["url"], "http://proxy.example:3128");
    engine.shutdown().await;
}

#[tokio::test]
async fn a_change_that_cannot_be_written_changes_no_password() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let set = |text: &str| params(&json!({"type": "set", "text": text}));
    call(&engine, "proxy_set", set("the-first-one-1")).await;
    let file = folder.path().join("proxy.json");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    for change in [set("the-second-one-2"), params(&json!({"type": "none"}))] {
        let why = refusal(&engine, "proxy_set", change).await;
        assert!(why.contains("Writing failed"), "{why}");
        assert_eq!(only_secret(&engine).await, "the-first-one-1");
    }
    std::fs::remove_dir(&file).unwrap();
    call(&engine, "proxy_set", set("the-second-one-2")).await;
    assert_eq!(only_secret(&engine).await, "the-second-one-2");
    engine.shutdown().await;
}

/// The keychain asks the user, who removes the password first.
#[tokio::test]
async fn a_password_that_was_removed_while_it_was_read_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = Arc::<HeldKeychain>::default();
    let engine = keychain.engine(&folder).await;
    let set = params(&json!({"type": "set", "text": "the-old-one-1234"}));
    call(&engine, "proxy_set", set).await;
    engine.shutdown().await;

    let engine = keychain.engine(&folder).await;
    keychain.hold();
    let proxy = &engine.state.proxy;
    let removed = async {
        keychain.asked().await;
        call(&engine, "proxy_set", params(&json!({"type": "none"}))).await;
        keychain.release();
    };
    let (ready, ()) = tokio::join!(proxy.ready("https://server.example/mcp"), removed);
    ready.unwrap();
    let ProxyChoice::Except { url, .. } = proxy.choice() else {
        panic!("not manual");
    };
    assert_eq!(url, "http://me@proxy.example:3128/");
    engine.shutdown().await;
}
