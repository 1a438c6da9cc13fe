//! Which servers are added.

use std::path::{Path, PathBuf};

use patchbay_contract::{HostComparison, HostFile, HostServer, ServerId, TransportDraft};
use patchbay_engine::quoted;

use crate::{
    args::{Differing, ImportArgs},
    exit::Problem,
    output::visible,
};

/// A server that is added, or updates one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chosen<'a> {
    /// Where it is from.
    pub(super) file: &'a HostFile,
    pub(super) server: &'a HostServer,
    /// The configured server that it updates, and how that one is started or reached then.
    pub(super) update: Option<(&'a ServerId, &'a TransportDraft)>,
}

/// The servers that the user named; without names those that are new and in use there.
pub(super) fn chosen<'a>(files: &'a [HostFile], args: &ImportArgs) -> Result<Vec<Chosen<'a>>, Problem> {
    let one = |file: &'a HostFile, server: &'a HostServer| Chosen {
        file,
        server,
        update: updated(&server.comparison, args.differing),
    };
    let projects = &Projects::of(args.project.as_deref());
    let all = || {
        let each = |file: &'a HostFile| file.servers.iter().map(move |server| (file, server));
        files
            .iter()
            .flat_map(each)
            .filter(move |(_, server)| projects.has(server))
    };
    if args.server.is_empty() {
        let wanted = all().filter(|(_, server)| !server.disabled && is_wanted(&server.comparison, args));
        return Ok(wanted.map(|(file, server)| one(file, server)).collect());
    }
    let mut chosen = Vec::new();
    for name in &args.server {
        let found: Vec<_> = all().filter(|(_, server)| server.name == *name).collect();
        match found.as_slice() {
            [] => return Err(unknown(name, all().map(|(_, server)| server.name.as_str()))),
            [(file, server)] => {
                reject_undecided(server, args)?;
                let is_known = chosen
                    .iter()
                    .any(|known: &Chosen<'_>| std::ptr::eq(known.server, *server));
                if !is_known && !matches!(server.comparison, HostComparison::Same { .. }) {
                    chosen.push(one(file, server));
                }
            }
            several => return Err(ambiguous(name, several, args)),
        }
    }
    Ok(chosen)
}

/// Which projects are wanted: any, none, or that of a folder, by the ways in which a host may have written it.
enum Projects {
    Any,
    None,
    Of(Vec<PathBuf>),
}

impl Projects {
    /// What `--project` says. The folder may be relative to the current one, or reached through a link.
    fn of(project: Option<&str>) -> Self {
        match project {
            None => Self::Any,
            Some("") => Self::None,
            Some(folder) => {
                let found = [std::path::absolute(folder), std::fs::canonicalize(folder)];
                let as_written = PathBuf::from(folder);
                Self::Of(found.into_iter().flatten().chain([as_written]).collect())
            }
        }
    }

    fn has(&self, server: &HostServer) -> bool {
        let project = server.project.as_deref().filter(|project| !project.is_empty());
        match (self, project) {
            (Self::Any, _) => true,
            (Self::None, project) => project.is_none(),
            (Self::Of(ways), Some(project)) => ways.iter().any(|way| way == Path::new(project)),
            (Self::Of(_), None) => false,
        }
    }
}

/// A name that several servers have, with what tells them apart.
fn ambiguous(name: &str, several: &[(&HostFile, &HostServer)], args: &ImportArgs) -> Problem {
    let places: Vec<String> = several
        .iter()
        .map(|(file, server)| {
            let path = visible(&file.place.path);
            match &server.project {
                Some(project) => format!("{} ({path}, project {})", file.place.host, visible(project)),
                None => format!("{} ({path})", file.place.host),
            }
        })
        .collect();
    let is_one_file = several.windows(2).all(|pair| std::ptr::eq(pair[0].0, pair[1].0));
    let (what, source, more) = match (is_one_file, &args.source) {
        (true, Some(source)) => ("project", quoted(source) + " ", " --project FOLDER"),
        (true, None) => ("project", String::new(), " --project FOLDER"),
        (false, _) => ("host or the file", "HOST ".to_owned(), ""),
    };
    Problem::usage(format!(
        "`{}` is in {}. Name the {what}, as in `patchbay import {}--server {}{more}`.",
        visible(name),
        places.join(" and "),
        visible(&source),
        visible(&quoted(name))
    ))
}

fn is_wanted(comparison: &HostComparison, args: &ImportArgs) -> bool {
    match comparison {
        HostComparison::New {} => true,
        HostComparison::Same { .. } => false,
        HostComparison::Differs { .. } => args.differing != Differing::Leave,
    }
}

/// A server that was named is not left out silently.
fn reject_undecided(server: &HostServer, args: &ImportArgs) -> Result<(), Problem> {
    let HostComparison::Differs { name, .. } = &server.comparison else {
        return Ok(());
    };
    if args.differing != Differing::Leave {
        return Ok(());
    }
    Err(Problem::usage(format!(
        "`{}` differs from `{}` in Patchbay. Update that one with `--differing update`, or add it as `{}` with `--differing add`.",
        visible(&server.name),
        visible(name),
        visible(&server.draft.name)
    )))
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Problem {
    let mut known: Vec<String> = known.map(visible).collect();
    known.sort();
    known.dedup();
    Problem::usage(match known.is_empty() {
        true => format!("There is no server `{}`: none was found.", visible(name)),
        false => format!(
            "There is no server `{}`. There are: {}.",
            visible(name),
            known.join(", ")
        ),
    })
}

/// The configured server that is updated; none if theirs is added.
fn updated(comparison: &HostComparison, differing: Differing) -> Option<(&ServerId, &TransportDraft)> {
    match (comparison, differing) {
        (
            HostComparison::Differs {
                server_id, transport, ..
            },
            Differing::Update,
        ) => Some((server_id, transport)),
        _ => None,
    }
}
