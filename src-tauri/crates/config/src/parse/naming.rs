//! Derives a short name for a server from its command or its address.

/// Programs that run another program, and the number of words before it.
const RUNNERS: &[(&str, &[&str])] = &[
    ("npx", &[]),
    ("bunx", &[]),
    ("uvx", &[]),
    ("pipx", &["run"]),
    ("npm", &["exec", "x"]),
    ("pnpm", &["dlx", "exec"]),
    ("yarn", &["dlx"]),
    ("bun", &["run", "x"]),
    ("deno", &["run"]),
    ("uv", &["run", "tool"]),
    ("docker", &["run"]),
    ("podman", &["run"]),
    ("node", &[]),
    ("tsx", &[]),
    ("python", &[]),
    ("python3", &[]),
    ("py", &[]),
    ("ruby", &[]),
    ("php", &[]),
    ("java", &[]),
    ("go", &["run"]),
    ("cargo", &["run"]),
    ("dotnet", &["run"]),
    ("sh", &[]),
    ("bash", &[]),
    ("cmd", &[]),
];

/// Whether a word stands between a runner and the program (`npm exec`).
pub(super) fn is_verb(program: &str, word: &str) -> bool {
    let runner = RUNNERS.iter().find(|(runner, _)| *runner == program);
    runner.is_some_and(|(_, verbs)| verbs.contains(&word))
}

/// Options of runners that take a value.
pub(super) const WITH_VALUE: &[&str] = &[
    "-p",
    "--package",
    "--from",
    "--with",
    "--python",
    "--directory",
    "-e",
    "--env",
    "-v",
    "--volume",
    "--mount",
    "--name",
    "--network",
    "-jar",
    "-w",
];

/// A name for `command args…`: the package or script that is run, without scope, version and generic words.
pub(super) fn of_command(command: &str, args: &[String]) -> String {
    let program = stem(command);
    let mut words = std::iter::once(command)
        .chain(args.iter().map(String::as_str))
        .peekable();
    let mut current = program.to_ascii_lowercase();
    // Runners can be nested: `uv run python -m server`.
    while let Some((_, verbs)) = RUNNERS.iter().find(|(runner, _)| *runner == current) {
        words.next();
        let Some(next) = next_word(&mut words, verbs) else {
            break;
        };
        current = stem(next).to_ascii_lowercase();
    }
    let subject = words.peek().copied().unwrap_or(command);
    let name = shorten(subject);
    if name.is_empty() { program.to_owned() } else { name }
}

/// A name for an address: the distinctive part of its host (`https://mcp.sentry.dev/mcp`: `sentry`).
pub(super) fn of_url(url: &str) -> String {
    let Ok(parsed) = url::Url::parse(url.trim()) else {
        return String::new();
    };
    let Some(url::Host::Domain(domain)) = parsed.host() else {
        return of_path(&parsed).unwrap_or_else(|| authority(&parsed));
    };
    let mut labels: Vec<&str> = domain.split('.').collect();
    if labels.len() < 2 {
        return of_path(&parsed).unwrap_or_else(|| authority(&parsed));
    }
    labels.pop();
    // `example.co.uk` is named `example`.
    if labels.len() > 1 && labels.last().is_some_and(|last| last.len() <= 3) {
        labels.pop();
    }
    labels.last().map(|name| (*name).to_owned()).unwrap_or_default()
}

/// Generic path segments that do not identify a server.
const PLAIN_SEGMENTS: &[&str] = &[
    "api", "http", "mcp", "message", "messages", "sse", "stream", "v1", "v2",
];

/// Several servers on one host are distinguished by path (`http://localhost:8080/weather/mcp`: `weather`).
fn of_path(url: &url::Url) -> Option<String> {
    let segments = url.path_segments()?.rev();
    let mut named = segments.filter(|segment| !segment.is_empty() && !PLAIN_SEGMENTS.contains(segment));
    named.next().map(str::to_owned)
}

fn authority(url: &url::Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

fn next_word<'a>(
    words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
    verbs: &[&str],
) -> Option<&'a str> {
    loop {
        let word = *words.peek()?;
        if word == "-m" || word == "--" || verbs.contains(&word) || word == "run" {
            words.next();
        } else if WITH_VALUE.contains(&word) {
            words.next();
            words.next();
        } else if word.starts_with('-') || is_switch(word) {
            words.next();
        } else {
            return Some(word);
        }
    }
}

/// A switch of `cmd`: a slash and one letter (`/c`). A longer word is a path (`/code/weather.py`).
fn is_switch(word: &str) -> bool {
    matches!(word.as_bytes(), [b'/', letter] if letter.is_ascii_alphabetic())
}

/// The last part of a path, without a program's extension.
pub(super) fn stem(path: &str) -> &str {
    let last = path
        .trim_end_matches(['/', '\\'])
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(path);
    for ending in [".exe", ".cmd", ".bat"] {
        if let Some(stem) = last.strip_suffix(ending) {
            return stem;
        }
    }
    last
}

fn shorten(subject: &str) -> String {
    let without_version = match subject.get(1..).and_then(|rest| rest.find('@')) {
        Some(at) => &subject[..=at],
        None => subject,
    };
    let without_version = without_version.split("==").next().unwrap_or_default();
    let mut parts = without_version
        .trim_end_matches(['/', '\\'])
        .rsplit(['/', '\\'])
        .map(str::trim);
    let mut last = without_extension(parts.next().unwrap_or_default());
    // `…/weather/build/index.js` is named after its folder.
    while matches!(
        last,
        "index" | "main" | "server" | "__main__" | "build" | "dist" | "src" | "mcp" | "bin" | "app"
    ) {
        match parts.next() {
            Some(folder) if !folder.is_empty() && !folder.starts_with(['.', '~', '@']) => last = folder,
            _ => break,
        }
    }
    let mut name = last.to_owned();
    for ending in ["-mcp-server", "_mcp_server", "-mcp", "_mcp", "-server"] {
        if let Some(rest) = name.strip_suffix(ending).filter(|rest| !rest.is_empty()) {
            name = rest.to_owned();
            break;
        }
    }
    for beginning in ["mcp-server-", "mcp_server_", "server-", "mcp-", "mcp_"] {
        if let Some(rest) = name.strip_prefix(beginning).filter(|rest| !rest.is_empty()) {
            name = rest.to_owned();
            break;
        }
    }
    name
}

fn without_extension(file: &str) -> &str {
    match file.rsplit_once('.') {
        Some((
            stem,
            "js" | "mjs" | "cjs" | "ts" | "mts" | "py" | "rb" | "php" | "jar" | "sh" | "exe" | "cmd" | "go",
        )) => stem,
        _ => file,
    }
}

/// A name as the list of servers accepts it: trimmed, on one line, at most 90 characters (leaving room for a number).
pub(crate) fn tidy(name: &str) -> String {
    let name: String = name
        .trim()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(90)
        .collect();
    if name.trim().is_empty() {
        "Server".to_owned()
    } else {
        name
    }
}
