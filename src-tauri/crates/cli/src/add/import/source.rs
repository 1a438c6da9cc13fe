//! Where the servers are read from: all hosts, one of them, or a file.

use std::path::{Path, PathBuf};

use patchbay_contract::{
    FileContent, FileIdentifyParams, FileIdentifyResponse, FileText, HostFile, HostFindParams,
    HostFindResponse,
};
use patchbay_engine::{Engine, quoted, read_text};

use crate::{exit::Problem, oneshot::server::call, output::visible};

/// The largest file that is read, in bytes. The engine holds the same.
const LARGEST: u64 = 16 << 20;

/// Where servers are read from.
#[derive(Debug)]
pub(super) enum Source {
    /// Every host on this machine.
    Hosts,
    /// One of them.
    Host(String),
    /// A file, which was read already.
    File(FileText),
}

impl Source {
    /// What the user named: the path of a file, or a host.
    pub(super) fn read(named: Option<&str>) -> Result<Self, Problem> {
        let Some(named) = named else {
            return Ok(Self::Hosts);
        };
        let path = Path::new(named);
        // A folder may have the name of a host.
        let is_path = named.contains(['/', '\\']) || path.is_file() || path.extension().is_some();
        match is_path {
            true => Ok(Self::File(text_of(named, path)?)),
            false => Ok(Self::Host(named.to_owned())),
        }
    }

    /// The servers there, compared with the configured ones.
    pub(super) async fn find(&self, engine: &Engine) -> Result<Vec<HostFile>, Problem> {
        if let Self::File(file) = self {
            return identified(engine, file).await;
        }
        let found: HostFindResponse = call(engine, "host_find", &HostFindParams {}).await?;
        match self {
            Self::Host(name) => of_host(name, found),
            _ => Ok(found.files),
        }
    }
}

/// The files of one host: of that very name, otherwise of those that begin so.
fn of_host(name: &str, found: HostFindResponse) -> Result<Vec<HostFile>, Problem> {
    let places = || {
        let files = found.files.iter().map(|file| &file.place);
        files.chain(&found.absent)
    };
    let wanted = plain(name);
    let is_exact = places().any(|place| plain(&place.host) == wanted);
    let is_it = |host: &str| match is_exact {
        true => plain(host) == wanted,
        false => !wanted.is_empty() && plain(host).starts_with(&wanted),
    };
    if !places().any(|place| is_it(&place.host)) {
        let mut hosts: Vec<&str> = places().map(|place| place.host.as_str()).collect();
        hosts.sort_unstable();
        hosts.dedup();
        return Err(Problem::usage(format!(
            "There is no host `{}`. There are: {}. For a file, give its path.",
            visible(name),
            hosts.join(", ")
        )));
    }
    let files: Vec<HostFile> = found
        .files
        .iter()
        .filter(|file| is_it(&file.place.host))
        .cloned()
        .collect();
    if files.is_empty() {
        let paths: Vec<String> = places()
            .filter(|place| is_it(&place.host))
            .map(|place| visible(&place.path))
            .collect();
        return Err(Problem::usage(format!(
            "No servers of {} were found in {}. For another file, give its path.",
            visible(name),
            paths.join(", ")
        )));
    }
    Ok(files)
}

/// A name without what people write in different ways: `claude-desktop` is `Claude Desktop`.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

async fn identified(engine: &Engine, file: &FileText) -> Result<Vec<HostFile>, Problem> {
    let params = FileIdentifyParams {
        files: vec![file.clone()],
    };
    let found: FileIdentifyResponse = call(engine, "file_identify", &params).await?;
    let name = visible(&file.name);
    match found.files.into_iter().next() {
        Some(FileContent::Host { file }) => Ok(vec![file]),
        Some(FileContent::Registry {} | FileContent::Servers {}) => Err(Problem::usage(format!(
            "{name} is not the configuration of a host. Add its servers with `patchbay add {}`.",
            visible(&quoted(&file.name))
        ))),
        Some(FileContent::Unknown { reason }) => Err(Problem::usage(format!("{name}: {}", visible(&reason)))),
        None => Err(Problem::usage(format!("{name} was not read."))),
    }
}

/// The content of a file, under its absolute path: its folders may say which host it is of.
fn text_of(named: &str, path: &Path) -> Result<FileText, Problem> {
    let shown = visible(named);
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    if ending == "mcpb" || ending == "dxt" {
        let how = format!(
            "{shown} is a bundle. Add it with `patchbay add {}`.",
            visible(&quoted(named))
        );
        return Err(Problem::usage(how));
    }
    let text = read_text(path, LARGEST)
        .map_err(|error| Problem::usage(format!("{shown} cannot be read: {error}.")))?;
    let name = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
    Ok(FileText {
        name: name.display().to_string(),
        text,
    })
}
