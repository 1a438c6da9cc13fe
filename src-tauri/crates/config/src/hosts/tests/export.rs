//! What is written for a host is read again from its file as the same server.

use super::*;

const ALL: [HostFormat; 12] = [
    HostFormat::McpServers,
    HostFormat::ClaudeDesktop,
    HostFormat::ClaudeCode,
    HostFormat::Cursor,
    HostFormat::Windsurf,
    HostFormat::Cline,
    HostFormat::VsCode,
    HostFormat::Zed,
    HostFormat::Codex,
    HostFormat::Goose,
    HostFormat::GeminiCli,
    HostFormat::LmStudio,
];

fn program() -> ServerDraft {
    let mut draft = one_command("API_KEY=k PORT=1 npx -y 'a b' \"quo\\\"te\"").unwrap();
    draft.name = "one".to_owned();
    draft
}

fn address() -> ServerDraft {
    let mut draft = one_url("https://x.example/mcp");
    draft.name = "two".to_owned();
    if let TransportDraft::Http { kind, headers, .. } = &mut draft.transport {
        *kind = patchbay_contract::HttpKind::StreamableHttp;
        for (name, value) in [("Authorization", "Bearer t"), ("X-Plain", "1")] {
            headers.push(patchbay_contract::HttpHeader {
                name: name.to_owned(),
                value: value.to_owned(),
                is_secret: false,
            });
        }
    }
    draft
}

fn written(home: &Home, draft: ServerDraft, format: HostFormat) -> Exported {
    let servers = Servers::open(home.path("ours/servers.json"), true).unwrap();
    let id = servers.add(new_id(), draft).unwrap();
    let common = servers.export(&id).unwrap();
    super::super::export(&servers.get(&id).unwrap(), format, common, Some(&home.folders())).unwrap()
}

#[test]
fn every_host_reads_what_is_written_for_it() {
    for format in ALL {
        for draft in [program(), address()] {
            let home = Home::new();
            let exported = written(&home, draft.clone(), format);
            let path = exported.path.clone();
            let path = path.unwrap_or_else(|| home.path(".cursor/mcp.json").display().to_string());
            fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
            fs::write(&path, &exported.text).unwrap();
            let file = home.only();
            assert_eq!(
                file.problems,
                Vec::<String>::new(),
                "{format:?}: {}",
                exported.text
            );
            let text = line(&file.servers[0]);
            // Codex has no order of variables and headers.
            match draft.transport {
                TransportDraft::Stdio { .. } => {
                    for part in ["one: npx -y a b quo\"te |", "PORT=1"] {
                        assert!(text.contains(part), "{format:?}: {text}");
                    }
                    let key = if format == HostFormat::VsCode {
                        "${input:API_KEY}"
                    } else {
                        "${API_KEY}"
                    };
                    assert!(text.contains(&format!("API_KEY={key}")), "{format:?}: {text}");
                }
                TransportDraft::Http { .. } => {
                    for part in ["two: https://x.example/mcp ", "X-Plain: 1"] {
                        assert!(text.contains(part), "{format:?}: {text}");
                    }
                    let key = if format == HostFormat::VsCode {
                        "${input:AUTHORIZATION}"
                    } else {
                        "${AUTHORIZATION}"
                    };
                    assert!(
                        text.contains(&format!("Authorization: Bearer {key}")),
                        "{format:?}: {text}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_disabled_server_is_disabled_where_a_host_can_say_so_and_said_elsewhere() {
    for format in ALL {
        for mut draft in [program(), address()] {
            draft.disabled = true;
            let home = Home::new();
            let exported = written(&home, draft, format);
            let says = [
                "\"disabled\": true",
                "\"enabled\": false",
                "enabled = false",
                "enabled: false",
            ];
            let is_said = says.iter().any(|words| exported.text.contains(words));
            let note = exported.notes.iter().any(|note| note.contains("cannot disable"));
            assert!(is_said || note, "{format:?}: {}", exported.text);
            if format == HostFormat::Goose {
                let path = exported.path.unwrap();
                fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
                fs::write(&path, &exported.text).unwrap();
                let file = home.only();
                assert!(file.servers[0].disabled && file.servers[0].draft.disabled);
            }
        }
    }
}

#[test]
fn each_host_has_its_own_words() {
    for (format, draft, parts) in [
        (
            HostFormat::VsCode,
            program(),
            &["\"servers\"", "\"type\": \"stdio\"", "\"password\": true"][..],
        ),
        (HostFormat::Windsurf, address(), &["\"serverUrl\""]),
        (HostFormat::GeminiCli, address(), &["\"httpUrl\""]),
        (HostFormat::Cline, address(), &["\"streamableHttp\""]),
        (HostFormat::Zed, program(), &["\"context_servers\""]),
        (
            HostFormat::Codex,
            program(),
            &["[mcp_servers.one]", "env_vars = [\"API_KEY\"]"],
        ),
        (
            HostFormat::Codex,
            address(),
            &["bearer_token_env_var = \"AUTHORIZATION\"", "http_headers"],
        ),
        (
            HostFormat::Goose,
            program(),
            &["extensions:", "cmd: npx", "env_keys:", "timeout: 300"],
        ),
        (HostFormat::Goose, address(), &["type: streamable_http", "uri: "]),
    ] {
        let text = written(&Home::new(), draft, format).text;
        for part in parts {
            assert!(text.contains(part), "{format:?} without {part}: {text}");
        }
    }
}

#[test]
fn the_file_is_the_first_of_the_host() {
    for (format, end) in [
        (HostFormat::VsCode, "settings/Code/User/mcp.json"),
        (
            HostFormat::Cline,
            "saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        ),
    ] {
        let path = written(&Home::new(), program(), format).path.unwrap();
        assert!(Path::new(&path).ends_with(end), "{path}");
    }
}

#[test]
fn what_a_host_cannot_do_is_said() {
    let notes = |draft, format| written(&Home::new(), draft, format).notes;
    assert!(notes(address(), HostFormat::ClaudeDesktop)[0].contains("Settings > Connectors"));
    assert_eq!(notes(program(), HostFormat::ClaudeDesktop), Vec::<String>::new());
    let odd = ServerDraft {
        name: "my server".to_owned(),
        ..program()
    };
    assert!(notes(odd, HostFormat::Codex)[0].contains("the name was changed"));
    let path = written(&Home::new(), program(), HostFormat::Codex).path.unwrap();
    assert!(path.ends_with(".codex/config.toml"), "{path}");
}
