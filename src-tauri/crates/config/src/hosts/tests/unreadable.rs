//! Files that are damaged, too large, or no files at all.

use super::*;

#[test]
fn a_file_that_cannot_be_read_says_why() {
    let long = |count: usize| {
        let servers: Vec<_> = (0..count)
            .map(|n| format!(r#""s{n}":{{"command":"x"}}"#))
            .collect();
        format!(r#"{{"mcpServers":{{{}}}}}"#, servers.join(","))
    };
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let bomb = format!(
        "a: &a [x,x,x,x,x,x,x,x,x]\n{}extensions: {{}}\n",
        (0..12)
            .map(|n| {
                let last = if n == 0 {
                    "a".to_owned()
                } else {
                    format!("b{}", n - 1)
                };
                format!("b{n}: &b{n} [{}]\n", vec![format!("*{last}"); 9].join(","))
            })
            .collect::<String>()
    );
    for (path, text, problem) in [
        (
            ".cursor/mcp.json",
            r#"{"mcpServers": {"#,
            "It is not valid JSON: EOF while parsing an object at line 1",
        ),
        (".cursor/mcp.json", &deep, "It is not valid JSON: recursion limit"),
        (
            ".cursor/mcp.json",
            r#"{"mcpServers": ["x"]}"#,
            "`mcpServers` is not a list of servers by name.",
        ),
        (
            ".cursor/mcp.json",
            r#"{"mcpServers": {"x": 1}}"#,
            "\"x\" is not a server.",
        ),
        (
            ".cursor/mcp.json",
            r#"{"mcpServers": {"x": {"transport": {"v2": {}}}}}"#,
            "\"x\": it has neither a `command` nor a `url`.",
        ),
        (
            ".cursor/mcp.json",
            &long(501),
            "Only its first 500 servers are shown.",
        ),
        (
            ".codex/config.toml",
            "[mcp_servers.x\n",
            "It is not valid TOML: TOML parse error at line 1",
        ),
        (
            ".config/goose/config.yaml",
            "extensions: [a\n",
            "It is not valid YAML: ",
        ),
        (".config/goose/config.yaml", &bomb, "It is not valid YAML: "),
    ] {
        let home = Home::new();
        home.write(path, text);
        let problems = home.only().problems;
        assert!(
            problems.iter().any(|each| each.starts_with(problem)),
            "{problem}: {problems:?}"
        );
    }
}

#[test]
fn only_a_text_file_of_a_sane_size_is_read() {
    let home = Home::new();
    fs::create_dir_all(home.path(".cursor/mcp.json")).unwrap();
    assert_eq!(home.only().problems, ["It cannot be read: it is not a file."]);

    let home = Home::new();
    let huge = fs::File::create(home.path(".claude.json")).unwrap();
    huge.set_len(file::LARGEST + 1).unwrap();
    assert!(home.only().problems[0].starts_with("It is larger than 16 MiB"));

    let home = Home::new();
    fs::write(home.path(".claude.json"), [0xff, 0xfe, 0x7b]).unwrap();
    assert_eq!(home.only().problems, ["It cannot be read: it is not UTF-8 text."]);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_do_not_hang_it() {
    use std::os::unix::fs::symlink;

    let home = Home::new();
    let (one, two) = (home.path(".cursor/mcp.json"), home.path(".cursor/other.json"));
    symlink(&one, &two).unwrap();
    symlink(&two, &one).unwrap();
    let problems = home.only().problems;
    assert!(problems[0].starts_with("It cannot be read: "), "{problems:?}");

    // Settings that are kept in a repository are links.
    let home = Home::new();
    home.write("repository/mcp.json", r#"{"mcpServers":{"x":{"command":"x"}}}"#);
    symlink(home.path("repository/mcp.json"), home.path(".cursor/mcp.json")).unwrap();
    assert_eq!(lines(&home.only()), ["x: x"]);

    let home = Home::new();
    let made = std::process::Command::new("mkfifo")
        .arg(home.path(".cursor/mcp.json"))
        .status();
    assert!(made.unwrap().success());
    assert_eq!(home.only().problems, ["It cannot be read: it is not a file."]);
}
