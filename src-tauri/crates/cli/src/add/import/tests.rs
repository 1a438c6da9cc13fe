use patchbay_contract::{HostFile, HostServer};
use serde_json::{Value, json};

use super::*;

fn server(name: &str, comparison: Value) -> HostServer {
    let input = |id: &str, default: Value, options: Value| json!({ "id": id, "description": "", "password": id == "token", "default": default, "options": options });
    serde_json::from_value(json!({
        "draft": {
            "name": format!("{name} 2"),
            "transport": {
                "type": "stdio", "command": "npx", "cwd": null,
                "args": ["--api-key", "very-secret", "${input:region}"],
                "env": [{ "name": "TOKEN", "value": "${input:token}" }],
            },
            "era": "auto",
            "timeouts": { "requestMs": 1, "maxTotalMs": 1, "resetOnProgress": true },
        },
        "name": name, "project": null, "disabled": name == "off", "problems": [],
        "secrets": [{ "serverId": null, "serverName": name, "place": "argument", "name": "API KEY" }],
        "comparison": comparison,
        "inputs": [input("token", Value::Null, json!([])), input("region", json!("eu"), json!(["eu", "us"]))],
    }))
    .unwrap()
}

fn files() -> Vec<HostFile> {
    let differs = json!({
        "type": "differs", "serverId": "id", "name": "old",
        "differences": [{ "setting": "Arguments", "ours": "", "theirs": "-y\nx" }],
        "transport": {
            "type": "stdio", "command": "kept", "cwd": null, "env": [],
            "args": ["--api-key", "very-secret", "${input:region}"],
        },
    });
    let file = |host: &str, servers: Vec<HostServer>| {
        serde_json::from_value::<HostFile>(json!({
            "place": { "host": host, "path": format!("/{host}") },
            "servers": servers,
            "problems": [],
        }))
        .unwrap()
    };
    let new = || json!({ "type": "new" });
    vec![
        file(
            "one",
            vec![
                server("fresh", new()),
                server("off", new()),
                server("old", differs),
            ],
        ),
        file("two", vec![server("both", new())]),
        file("three", vec![server("both", new())]),
    ]
}

fn args(line: &str) -> ImportArgs {
    use clap::Parser as _;
    let words = ["patchbay", "import"].into_iter();
    let cli = crate::args::Cli::try_parse_from(words.chain(line.split(' ').filter(|word| !word.is_empty())));
    match cli.unwrap().command {
        crate::args::Command::Import(args) => args,
        other => panic!("{other:?}"),
    }
}

fn said(problem: &Problem) -> String {
    serde_json::to_value(problem).unwrap()["message"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn names(line: &str) -> Result<Vec<String>, String> {
    let files = files();
    let args = args(line);
    let chosen = select::chosen(&files, &args).map_err(|problem| said(&problem))?;
    let names = chosen.iter().map(|one| {
        let mark = if one.update.is_some() { "=" } else { "+" };
        format!("{mark}{}", one.server.name)
    });
    Ok(names.collect())
}

#[test]
fn what_is_new_and_enabled_is_chosen_or_what_is_named() {
    assert_eq!(names("").unwrap(), ["+fresh", "+both", "+both"]);
    assert_eq!(
        names("--differing update").unwrap(),
        ["+fresh", "=old", "+both", "+both"]
    );
    assert_eq!(names("--server off").unwrap(), ["+off"]);
    assert_eq!(names("--server old --differing add").unwrap(), ["+old"]);
    for (line, why) in [
        (
            "--server old",
            "`old` differs from `old` in Patchbay. Update that one with `--differing update`",
        ),
        (
            "--server both",
            "`both` is in two (/two) and three (/three). Name the host or the file",
        ),
        (
            "--server none",
            "There is no server `none`. There are: both, fresh, off, old.",
        ),
    ] {
        let refused = names(line).unwrap_err();
        assert!(refused.contains(why), "{line}: {refused}");
    }
}

#[test]
fn a_server_is_chosen_once_and_by_its_project() {
    assert_eq!(names("--server fresh --server fresh").unwrap(), ["+fresh"]);
    let mut two = files().swap_remove(1);
    two.servers[0].project = Some("/a b".to_owned());
    let mut other = two.servers[0].clone();
    other.project = Some("/c".to_owned());
    two.servers.push(other);
    let files = [two];
    let chosen = |line: &str| {
        let chosen = select::chosen(&files, &args(line));
        let projects = |chosen: Vec<Chosen<'_>>| {
            let projects = chosen.iter().map(|one| one.server.project.clone().unwrap());
            projects.collect::<Vec<_>>()
        };
        chosen.map(projects).map_err(|problem| said(&problem))
    };
    assert_eq!(chosen("--server both --project /c").unwrap(), ["/c"]);
    assert_eq!(chosen("--server both --project /c/").unwrap(), ["/c"]);
    let refused = chosen("two --server both").unwrap_err();
    assert_eq!(
        refused,
        "`both` is in two (/two, project /a b) and two (/two, project /c). Name the project, as in `patchbay import two \
         --server both --project FOLDER`."
    );
    assert!(
        chosen("--server both --project /none")
            .unwrap_err()
            .contains("none was found")
    );
}

#[test]
fn the_list_marks_what_is_added_and_has_no_secrets() {
    let files = files();
    let args = args("--server fresh");
    let chosen = select::chosen(&files[..1], &args).unwrap();
    let shown = list::of(&files[..1], &chosen, false);
    for part in [
        "one  /one",
        "+ fresh  new, 1 secret in plaintext",
        "  starts     npx",
        "  off  new, disabled in the host",
        "  old  differs from old",
        "    Arguments\n      in Patchbay  –\n      in the host  -y x",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let lines = list::of(&files[..1], &chosen, true);
    assert_eq!(lines.lines().count(), 3);
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!((&first["state"], &first["chosen"]), (&json!("new"), &json!(true)));
    for text in [shown, lines] {
        assert!(!text.contains("very-secret"), "{text}");
    }
}

#[tokio::test]
async fn answers_are_given_and_checked() {
    let files = files();
    let answered = async |line: &str| {
        let args = args(line);
        let chosen = select::chosen(&files, &args).unwrap();
        let answers = inputs::answers(&chosen, &args, &Keyboard::default()).await;
        answers.map(|answers| answers.of(&chosen[0]))
    };
    let given = answered("--server fresh --yes --set token=x").await.unwrap();
    let answer = |text: &str, is_secret| HostInputAnswer {
        text: text.to_owned(),
        is_secret,
    };
    assert_eq!(
        given,
        [
            ("region".to_owned(), answer("eu", false)),
            ("token".to_owned(), answer("x", true)),
        ]
        .into()
    );
    for (line, why) in [
        ("--yes", "\"token\" is asked for. Give it with `--set token=…`."),
        (
            "--yes --set token=x --set region=mars",
            "`mars` is not one of the values of `region`: eu, us.",
        ),
        (
            "--yes --set token=x --set city=Ulm",
            "None of these servers asks for `city`. They ask for: token, region.",
        ),
    ] {
        let refused = said(&answered(&format!("--server fresh {line}")).await.unwrap_err());
        assert_eq!(refused, why, "{line}");
    }
}

#[test]
fn the_question_counts() {
    let files = files();
    let question_of = |line: &str| {
        let args = args(line);
        question(&select::chosen(&files, &args).unwrap())
    };
    assert_eq!(question_of("--server fresh"), "Add 1 server");
    assert_eq!(question_of("--server old --differing update"), "Update 1 server");
    assert_eq!(question_of("--differing update"), "Add 3 servers and update 1");
}
