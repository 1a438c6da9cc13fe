//! `--root` and `--root-set`: the demo server asks for its roots.

use serde_json::json;

use crate::programs::{Ended, Patchbay, ours, quoted};

/// Calls `list_roots` of the demo server, with these shared sets and decisions.
fn ask(patchbay: &Patchbay, args: &[&str]) -> Ended {
    let folder = patchbay.folder().join("all").display().to_string();
    let args = [
        &["--data-dir", &folder, "tools", "call"],
        args,
        &["list_roots", "{}"],
    ]
    .concat();
    patchbay.run(&args)
}

/// A data folder with a set of two folders, of which one is gone, and a server that has them too.
fn prepared() -> (Patchbay, String) {
    let patchbay = Patchbay::new();
    let data = patchbay.folder().join("all");
    let [one, two] = ["one", "two"].map(|name| {
        let folder = data.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        folder.display().to_string()
    });
    let gone = data.join("gone").display().to_string();
    let roots = json!({
        "sets": [{"id": "1", "name": "Work", "folders": [{"path": one, "name": "First"}, {"path": gone}]}],
        "allowed": {"s": {(one.clone()): true}},
    });
    std::fs::write(data.join("roots.json"), roots.to_string()).unwrap();
    let server = json!({"mcpServers": {"mine": {
        "id": "s", "command": ours("patchbay"), "args": ["demo-server"],
        "roots": {"type": "folders", "paths": [two], "sets": ["1"]},
    }}});
    std::fs::write(data.join("servers.json"), server.to_string()).unwrap();
    (patchbay, data.display().to_string())
}

#[test]
fn shared_sets_are_named_on_the_command_line() {
    let (patchbay, data) = prepared();
    let demo = format!("{} demo-server", quoted(&ours("patchbay")));
    let other = format!("{data}/two");
    let args = ["--stdio", &demo, "--root-set", "Work", "--root", &other];
    let ended = ask(&patchbay, &args).code(0);
    let root =
        |name: &str, folder: &str| format!(r#"{{\"uri\":\"file://{data}/{folder}\",\"name\":\"{name}\"}}"#);
    let expected = format!("{},{}", root("two", "two"), root("First", "one"));
    assert!(ended.stdout.contains(&expected), "{ended:?}\n{expected}");
    assert!(!ended.stdout.contains("gone"), "{ended:?}");
    let ended = ask(&patchbay, &["--stdio", &demo, "--root-set", "Play"]).code(1);
    assert!(
        ended
            .stderr
            .contains("no shared set of roots named “Play”. There are “Work”."),
        "{ended:?}"
    );
}

/// The settings of a server say what is sent, as far as the user has allowed it; the command says what is not.
#[test]
fn what_the_user_has_not_allowed_is_not_sent_and_said() {
    let (patchbay, data) = prepared();
    let ended = ask(&patchbay, &["--server", "mine"]).code(0);
    assert!(
        ended.stdout.contains("First") && !ended.stdout.contains("/two"),
        "{ended:?}"
    );
    assert!(
        ended
            .stderr
            .contains("you have not allowed them for \"mine\" yet"),
        "{ended:?}"
    );
    assert!(ended.stderr.contains(&format!("{data}/two")), "{ended:?}");
    let ended = ask(&patchbay, &["--server", "mine", "--root", &data]).code(0);
    assert!(
        !ended.stdout.contains("First") && ended.stdout.contains("all"),
        "{ended:?}"
    );
    assert!(!ended.stderr.contains("not allowed"), "{ended:?}");
}

/// A folder that may not be read is left out, and said. As root everything may be read, so the program runs without that
/// privilege.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_without_permission_is_left_out() {
    use std::os::unix::fs::PermissionsExt as _;

    let (patchbay, data) = prepared();
    let closed = format!("{data}/one");
    let mode = |mode| std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o000);
    let may_read_all = std::fs::read_dir(&closed).is_ok();
    let args = [
        "--data-dir",
        &data,
        "tools",
        "call",
        "--server",
        "mine",
        "list_roots",
        "{}",
    ];
    let mut direct = patchbay.command(&args);
    let mut command = match may_read_all {
        true => {
            let mut unprivileged = std::process::Command::new("setpriv");
            unprivileged
                .arg("--bounding-set=-dac_override,-dac_read_search")
                .arg(direct.get_program())
                .args(direct.get_args())
                .envs(direct.get_envs().filter_map(|(name, value)| Some((name, value?))));
            unprivileged
        }
        false => std::mem::replace(&mut direct, std::process::Command::new("true")),
    };
    let ended = Ended::from(command.output().unwrap()).code(0);
    mode(0o700);
    assert!(ended.stdout.contains(r#"{\"roots\":[]}"#), "{ended:?}");
    let ended = ask(&patchbay, &["--server", "mine"]).code(0);
    assert!(ended.stdout.contains("First"), "{ended:?}");
}
