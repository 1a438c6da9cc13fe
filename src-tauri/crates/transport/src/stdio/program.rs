//! Finds the file that a command names, as a shell would, and says exactly why it cannot.

use std::{
    ffi::{OsStr, OsString},
    fs, io,
    path::{Path, PathBuf},
};

use crate::Failure;

/// The step that all failures here belong to.
pub(crate) const STEP: &str = "Start the program";

/// Checks the folder a program is to be started in.
pub(crate) fn check_cwd(cwd: &Path) -> Result<(), Failure> {
    const NEXT: &str = "Correct the folder of this server.";
    let shown = cwd.display();
    match fs::metadata(cwd) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(Failure::new(
            STEP,
            format!("The folder {shown} is not a folder."),
            NEXT,
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::new(
            STEP,
            format!("The folder {shown} does not exist."),
            NEXT,
        )),
        Err(error) => Err(Failure::new(
            STEP,
            format!("The folder {shown} cannot be used: {error}."),
            NEXT,
        )),
    }
}

/// The PATH that a name is looked up in, and what is to be said if it is not found.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SearchPath<'a> {
    /// The value; none if it is not set.
    pub(crate) value: Option<&'a OsStr>,
    /// Whether it is set for this server, and so nothing of Patchbay's environment is in it.
    pub(crate) is_own: bool,
    /// Why it may lack folders.
    pub(crate) problem: Option<&'a Failure>,
}

impl<'a> From<Option<&'a OsStr>> for SearchPath<'a> {
    fn from(value: Option<&'a OsStr>) -> Self {
        Self {
            value,
            ..Self::default()
        }
    }
}

/// The file that `command` names: a path (relative to `cwd`) if it holds a separator, else looked up in `path`.
pub(crate) fn resolve<'a>(
    command: &str,
    cwd: &Path,
    path: impl Into<SearchPath<'a>>,
) -> Result<PathBuf, Failure> {
    let path = path.into();
    if command.trim().is_empty() {
        return Err(Failure::new(
            STEP,
            "No program is given.",
            "Enter the program that starts this server.",
        ));
    }
    if command.contains(std::path::is_separator) {
        return candidates(&cwd.join(command))
            .into_iter()
            .find(|file| file.exists())
            .map_or_else(
                || Err(missing_file(command, cwd)),
                |file| match check(&file) {
                    Found::Program => Ok(file),
                    Found::Unusable(why) => Err(why),
                    Found::Nothing => Err(missing_file(command, cwd)),
                },
            );
    }
    let mut unusable = None;
    for folder in path.value.map(std::env::split_paths).into_iter().flatten() {
        // An empty entry means the current folder, as for a shell.
        for file in candidates(&cwd.join(folder).join(command)) {
            match check(&file) {
                Found::Program => return Ok(file),
                Found::Unusable(why) => unusable = unusable.or(Some(why)),
                Found::Nothing => {}
            }
        }
    }
    Err(unusable.unwrap_or_else(|| not_in_path(command, path)))
}

/// The program of a name in `path`, the value of `PATH`; none if there is none that can be run.
#[must_use]
pub fn find_program(name: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    let is_name = !name.is_empty() && !name.contains(std::path::is_separator);
    is_name.then(|| resolve(name, Path::new(""), path).ok()).flatten()
}

enum Found {
    Program,
    Unusable(Failure),
    Nothing,
}

fn check(file: &Path) -> Found {
    let shown = file.display();
    let metadata = match fs::metadata(file) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Found::Unusable(Failure::new(
                STEP,
                format!("Permission denied: {shown} cannot be reached."),
                "Make the folders above it accessible, or name another program.",
            ));
        }
        Err(_) => return Found::Nothing,
    };
    if metadata.is_dir() {
        return Found::Unusable(Failure::new(
            STEP,
            format!("{shown} is a directory."),
            "Name the program inside it.",
        ));
    }
    if !is_executable(&metadata) {
        return Found::Unusable(Failure::new(
            STEP,
            format!("Permission denied: {shown} is not executable."),
            "Make it executable (chmod +x), or name the interpreter as the program and this file as its first argument.",
        ));
    }
    Found::Program
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}

/// The files that `file` may mean: on Windows also with an extension that makes it a program.
fn candidates(file: &Path) -> Vec<PathBuf> {
    let mut all = vec![file.to_owned()];
    if cfg!(windows) && file.extension().is_none() {
        // npx and its like are .cmd files; a file without an extension beside them is for other shells.
        all = ["exe", "com", "cmd", "bat"]
            .iter()
            .map(|extension| file.with_extension(extension))
            .chain(all)
            .collect();
    }
    all
}

fn missing_file(command: &str, cwd: &Path) -> Failure {
    let file = cwd.join(command);
    Failure::new(
        STEP,
        format!("The file {} does not exist.", file.display()),
        "Correct the program of this server. A relative path starts at the server's folder.",
    )
}

fn not_in_path(command: &str, path: SearchPath<'_>) -> Failure {
    let value = path
        .value
        .map_or_else(|| OsString::from("(not set)"), OsStr::to_owned);
    let mut detail = format!("PATH used: {}", value.to_string_lossy());
    let next = if path.is_own {
        "Install it, give its full path, or correct PATH in the settings of this server."
    } else {
        "Install it, give its full path, or add its folder to PATH in Settings > Environment."
    };
    if let Some(problem) = path.problem.filter(|_| !path.is_own) {
        detail += &format!("\n{} {}", problem.cause, problem.next);
    }
    Failure::new(
        STEP,
        format!("The program \"{command}\" was not found in PATH."),
        next,
    )
    .with_detail(detail)
}

/// Words for an error of the system when it was asked to run `program`.
pub(crate) fn spawn_failure(program: &Path, error: &io::Error) -> Failure {
    let shown = program.display();
    match error.kind() {
        io::ErrorKind::NotFound => Failure::new(
            STEP,
            format!("{shown} exists, but the interpreter it names does not."),
            "Look at its first line (#!…) and install what it names.",
        ),
        io::ErrorKind::PermissionDenied => Failure::new(
            STEP,
            format!("Permission denied: the system refused to run {shown}."),
            "Check the permissions of the file and of the file system it lies on.",
        ),
        _ if error.raw_os_error() == Some(8) && cfg!(unix) => Failure::new(
            STEP,
            format!("{shown} is not a program for this machine (exec format error)."),
            "Give it a first line such as #!/bin/sh, or install the build for this machine.",
        ),
        _ => Failure::new(
            STEP,
            format!("{shown} could not be started: {error}."),
            "See the system's error.",
        ),
    }
    .with_detail(error.to_string())
}

#[cfg(test)]
mod tests;
