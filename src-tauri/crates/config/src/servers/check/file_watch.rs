//! Validates what is watched to restart a server.

use patchbay_contract::{BuildDraft, FileWatchDraft};

use crate::entry;

/// The most paths, and the most patterns of what is not watched.
const MOST: usize = 100;

/// The settings without surrounding blanks and empty members, or what is wrong with them.
pub(super) fn checked(draft: Option<FileWatchDraft>) -> Result<Option<FileWatchDraft>, String> {
    let Some(mut draft) = draft else {
        return Ok(None);
    };
    tidy(&mut draft.paths);
    tidy(&mut draft.ignored);
    if draft.on && draft.paths.is_empty() {
        return Err("Restarting on file changes needs a file or folder to watch.".to_owned());
    }
    if draft.paths.len() > MOST || draft.ignored.len() > MOST {
        return Err(format!(
            "At most {MOST} paths can be watched, and at most {MOST} patterns left out."
        ));
    }
    if !(50..=60_000).contains(&draft.quiet_ms) {
        return Err("The pause before a restart is between 50 ms and 60 s.".to_owned());
    }
    draft.build = draft.build.take().map(build).transpose()?.flatten();
    let mut words = draft.paths.iter().chain(&draft.ignored);
    if words.any(|word| word.contains(['\0', '\n'])) {
        return Err("A path or pattern cannot hold a NUL character or a line break.".to_owned());
    }
    Ok((draft != FileWatchDraft::default()).then_some(draft))
}

fn build(mut build: BuildDraft) -> Result<Option<BuildDraft>, String> {
    let command = build.command.trim().to_owned();
    if command.is_empty() {
        return match build.args.iter().all(|arg| arg.is_empty()) {
            true => Ok(None),
            false => Err("The build needs a command: a program's name or path.".to_owned()),
        };
    }
    (build.command, build.args) = entry::split_command(command, build.args);
    if !(1_000..=3_600_000).contains(&build.timeout_ms) {
        return Err("A build may take between 1 s and 1 h.".to_owned());
    }
    let is_wrong = |word: &String| word.contains('\0');
    if is_wrong(&build.command) || build.args.iter().any(is_wrong) {
        return Err("The build's command and arguments cannot hold a NUL character.".to_owned());
    }
    Ok(Some(build))
}

fn tidy(lines: &mut Vec<String>) {
    for line in &mut *lines {
        *line = line.trim().to_owned();
    }
    lines.retain(|line| !line.is_empty());
}
