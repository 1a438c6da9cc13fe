//! Checks what is in the packages of Linux: the paths, the desktop file, the manual, the completions, the types of files, and that
//! the program runs from the unpacked tree.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::stage::Stage;
use crate::{Outcome, process};

/// What each package installs; in the `.rpm`, the completion of zsh is elsewhere.
const INSTALLED: &[&str] = &[
    "usr/bin/patchbay",
    "usr/bin/patchbay-app",
    "usr/share/applications/Patchbay.desktop",
    "usr/share/bash-completion/completions/patchbay",
    "usr/share/doc/patchbay/changelog.gz",
    "usr/share/doc/patchbay/copyright",
    "usr/share/fish/vendor_completions.d/patchbay.fish",
    "usr/share/icons/hicolor/128x128/apps/patchbay-app.png",
    "usr/share/icons/hicolor/scalable/apps/patchbay-app.svg",
    "usr/share/man/man1/patchbay.1.gz",
    "usr/share/man/man1/patchbay-tools-call.1.gz",
    "usr/share/mime/packages/dev.patchbay.Patchbay.xml",
];

/// The libraries that the program `patchbay` may need: the C library and the compiler's.
const OF_THE_C_LIBRARY: &[&str] = &[
    "linux-vdso",
    "libc.so",
    "libm.so",
    "libgcc_s.so",
    "ld-linux",
    "libpthread.so",
    "libdl.so",
    "librt.so",
];

/// Checks every package that this system can unpack.
pub(super) fn all(stage: &Stage, packages: &[PathBuf]) -> Outcome {
    let mut complaints = Vec::new();
    for package in packages {
        let name = package
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let found = match package.extension().and_then(|end| end.to_str()) {
            Some("deb") => deb(stage, package)?,
            Some("rpm") => rpm(package)?,
            // Not made on a system that can look into it.
            _ => continue,
        };
        complaints.extend(found.into_iter().map(|complaint| format!("{name}: {complaint}")));
    }
    if cfg!(target_os = "linux") {
        complaints.extend(libraries(&stage.program()));
    }
    match complaints.is_empty() {
        true => Ok(()),
        false => Err(complaints.join("\n")),
    }
}

fn deb(stage: &Stage, package: &Path) -> Outcome<Vec<String>> {
    let tree = stage.folder().join("unpacked");
    let _ = fs::remove_dir_all(&tree);
    said(process::command("dpkg-deb").arg("-x").arg(package).arg(&tree))?;
    let control = said(process::command("dpkg-deb").arg("-f").arg(package))?;
    let list = said(process::command("dpkg-deb").arg("-c").arg(package))?;
    let mut complaints = paths(list.lines().filter_map(|line| {
        // Mode, owner, size, date, time, path.
        let path = line.split_whitespace().nth(5)?;
        (!line.starts_with('d')).then(|| path.trim_start_matches("./").trim_start_matches('/'))
    }));
    if !tree.join("usr/share/zsh/vendor-completions/_patchbay").is_file() {
        complaints.push("the completion of zsh is missing".to_owned());
    }
    for wanted in [
        "Package: patchbay",
        &format!("Version: {}", stage.version()),
        "Section: devel",
        "libwebkit2gtk-4.1-0",
        "libgtk-3-0",
        "Maintainer: Patchbay contributors",
    ] {
        if !control.contains(wanted) {
            complaints.push(format!("its control file does not have `{wanted}`:\n{control}"));
        }
    }
    complaints.extend(executable(&tree.join("usr/bin/patchbay")));
    complaints.extend(executable(&tree.join("usr/bin/patchbay-app")));
    complaints.extend(desktop_file(
        &tree.join("usr/share/applications/Patchbay.desktop"),
    )?);
    complaints.extend(shell_files(&tree.join("usr/share")));
    complaints.extend(types(&tree.join("usr/share"))?);
    complaints.extend(runs(&tree.join("usr/bin/patchbay")));
    Ok(complaints)
}

fn rpm(package: &Path) -> Outcome<Vec<String>> {
    let list = said(process::command("rpm").arg("-qlp").arg(package))?;
    let mut complaints = paths(list.lines().map(|line| line.trim_start_matches('/')));
    if !list.contains("/usr/share/zsh/site-functions/_patchbay") {
        complaints.push("the completion of zsh is missing".to_owned());
    }
    let needs = said(process::command("rpm").arg("-qRp").arg(package))?;
    for wanted in ["libwebkit2gtk-4.1.so.0", "libgtk-3.so.0"] {
        if !needs.contains(wanted) {
            complaints.push(format!("it does not require {wanted}:\n{needs}"));
        }
    }
    Ok(complaints)
}

/// Every wanted path is there, and nothing outside `/usr`.
fn paths<'a>(list: impl Iterator<Item = &'a str>) -> Vec<String> {
    let list: BTreeSet<&str> = list.collect();
    let missing = INSTALLED.iter().filter(|path| !list.contains(*path));
    let outside = list.iter().filter(|path| !path.starts_with("usr/"));
    missing
        .map(|path| format!("{path} is missing"))
        .chain(outside.map(|path| format!("{path} is outside /usr")))
        .collect()
}

#[cfg(unix)]
fn executable(file: &Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::metadata(file).map_or(0, |file| file.permissions().mode() & 0o777);
    (mode != 0o755).then(|| format!("{} has the mode {mode:o}, not 755", file.display()))
}

#[cfg(not(unix))]
fn executable(_file: &Path) -> Option<String> {
    None
}

fn desktop_file(file: &Path) -> Outcome<Vec<String>> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut complaints: Vec<String> = [
        "Exec=patchbay-app %u\n",
        "Icon=patchbay-app\n",
        "Categories=Development;",
        "MimeType=x-scheme-handler/patchbay;",
    ]
    .into_iter()
    .filter(|line| !text.contains(line))
    .map(|line| format!("the desktop file does not have `{line}`:\n{text}"))
    .collect();
    let validated = said(process::command("desktop-file-validate").arg(file));
    complaints.extend(validated.err());
    Ok(complaints)
}

/// The pages of the manual and the script of bash, as the programs read them that show and run them.
fn shell_files(share: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    let bash = share.join("bash-completion/completions/patchbay");
    complaints.extend(said(process::command("bash").arg("-n").arg(&bash)).err());
    for page in ["patchbay.1.gz", "patchbay-tools-call.1.gz"] {
        let page = share.join("man/man1").join(page);
        let shown = said(
            process::command("man")
                .env("MANROFFSEQ", "")
                .env("LC_ALL", "C.UTF-8")
                .args(["--warnings", "-l"])
                .arg(&page),
        );
        match shown {
            Ok(text) if text.contains("SYNOPSIS") && text.contains("patchbay") => {}
            Ok(text) => complaints.push(format!("{} shows no synopsis:\n{text}", page.display())),
            Err(error) => complaints.push(error),
        }
    }
    complaints
}

/// The type of recordings, in the database of a system that has this package only.
fn types(share: &Path) -> Outcome<Vec<String>> {
    let mut update = process::command("update-mime-database");
    said(update.arg(share.join("mime")).env("XDG_DATA_DIRS", share))?;
    let names = fs::read_to_string(share.join("mime/globs2")).unwrap_or_default();
    let wanted = "application/vnd.patchbay.recording+jsonl:patchbay-traffic-*.jsonl";
    Ok(match names.contains(wanted) {
        true => Vec::new(),
        false => vec![format!("recordings have no type of their own:\n{names}")],
    })
}

/// The program of the package answers, and calls a tool of the demo server in it.
fn runs(program: &Path) -> Vec<String> {
    let demo = format!("'{}' demo-server", program.display());
    let mut call = process::command(program);
    call.args(["tools", "call", "--stdio", &demo, "add", r#"{"a":1,"b":2}"#]);
    match said(&mut call) {
        Ok(answer) if answer.contains('3') => Vec::new(),
        Ok(answer) => vec![format!("the demo server of the package answered {answer}")],
        Err(error) => vec![error],
    }
}

/// The program without a window needs nothing but the C library.
fn libraries(program: &Path) -> Vec<String> {
    let list = match said(process::command("ldd").arg(program)) {
        Ok(list) => list,
        Err(error) => return vec![error],
    };
    list.lines()
        .filter(|line| !OF_THE_C_LIBRARY.iter().any(|known| line.contains(known)))
        .map(|line| format!("patchbay needs {}", line.trim()))
        .collect()
}

/// Runs to the end; stdout of a program that succeeded and wrote nothing to stderr.
fn said(command: &mut Command) -> Outcome<String> {
    let shown = process::shown(command);
    let ended = command
        .output()
        .map_err(|error| format!("`{shown}` could not be started: {error}"))?;
    let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&ended.stderr);
    match ended.status.success() && stderr.trim().is_empty() {
        true => Ok(stdout),
        false => Err(format!("`{shown}` ended with {}: {stdout}{stderr}", ended.status)),
    }
}
