//! `manifest.json`, versions 0.1 to 0.4 (<https://github.com/modelcontextprotocol/mcpb>, MANIFEST.md). Members that are not read are
//! ignored, as the specification asks.

use indexmap::IndexMap;
use patchbay_protocol::views::with_hidden_marked;
use serde::Deserialize;

use super::error::{ASK_AUTHOR, BundleError};

/// The versions of the manifest that are read.
const VERSIONS: &[&str] = &["0.1", "0.2", "0.3", "0.4"];
/// The maximum number of tools, of prompts and of settings that a manifest may have.
const MOST_ITEMS: usize = 1_000;

/// What a bundle says about itself.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Manifest {
    /// The version of the manifest itself, if it has the newer name.
    #[serde(default)]
    manifest_version: Option<String>,
    /// The same under its name of DXT.
    #[serde(default)]
    dxt_version: Option<String>,
    /// The name for programs.
    pub name: String,
    /// The name for people.
    #[serde(default)]
    pub display_name: Option<String>,
    /// The version of the server.
    pub version: String,
    /// What it is, in a sentence.
    pub description: String,
    /// What it is, at length; Markdown.
    #[serde(default)]
    pub long_description: Option<String>,
    /// Who made it.
    pub author: Author,
    /// Its home page.
    #[serde(default)]
    pub homepage: Option<String>,
    /// Its documentation.
    #[serde(default)]
    pub documentation: Option<String>,
    /// Where problems are reported.
    #[serde(default)]
    pub support: Option<String>,
    /// Its source.
    #[serde(default)]
    pub repository: Option<Repository>,
    /// Its license.
    #[serde(default)]
    pub license: Option<String>,
    /// The privacy policies of the services that get data of the user.
    #[serde(default)]
    pub privacy_policies: Vec<String>,
    /// How it is run.
    pub(super) server: ServerPart,
    /// The tools it declares.
    #[serde(default)]
    pub tools: Vec<DeclaredItem>,
    /// Whether it has more tools when it runs.
    #[serde(default)]
    pub tools_generated: bool,
    /// The prompts it declares.
    #[serde(default)]
    pub prompts: Vec<DeclaredItem>,
    /// Whether it has more prompts when it runs.
    #[serde(default)]
    pub prompts_generated: bool,
    /// What it needs.
    #[serde(default)]
    compatibility: Compatibility,
    /// What it asks its user for, in order.
    #[serde(default)]
    pub(super) user_config: IndexMap<String, UserOption>,
}

/// Who made a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Author {
    /// The name.
    pub name: String,
    /// An address on the web.
    #[serde(default)]
    pub url: Option<String>,
}

/// Where the source of a bundle is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Repository {
    /// The address.
    pub url: String,
}

/// A tool or a prompt that a bundle declares.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DeclaredItem {
    /// Its name.
    pub name: String,
    /// What it does.
    #[serde(default)]
    pub description: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct ServerPart {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) entry_point: String,
    /// Optional since 0.4: then the host knows how to run the type.
    #[serde(default)]
    pub(super) mcp_config: Option<McpConfig>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct McpConfig {
    pub(super) command: String,
    #[serde(default)]
    pub(super) args: Vec<String>,
    #[serde(default)]
    pub(super) env: IndexMap<String, String>,
    #[serde(default)]
    pub(super) platform_overrides: IndexMap<String, Override>,
}

/// What another system needs instead.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Override {
    #[serde(default)]
    pub(super) command: Option<String>,
    #[serde(default)]
    pub(super) args: Option<Vec<String>>,
    #[serde(default)]
    pub(super) env: Option<IndexMap<String, String>>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
struct Compatibility {
    #[serde(default)]
    platforms: Vec<String>,
    #[serde(default)]
    runtimes: IndexMap<String, String>,
}

/// The type of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum UserType {
    String,
    Number,
    Boolean,
    Directory,
    File,
}

/// Something that a bundle asks its user for.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct UserOption {
    #[serde(rename = "type")]
    pub(super) kind: UserType,
    #[serde(default)]
    pub(super) title: String,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default)]
    pub(super) required: bool,
    #[serde(default)]
    pub(super) default: Option<serde_json::Value>,
    #[serde(default)]
    pub(super) multiple: bool,
    #[serde(default)]
    pub(super) sensitive: bool,
    #[serde(default)]
    pub(super) min: Option<serde_json::Number>,
    #[serde(default)]
    pub(super) max: Option<serde_json::Number>,
}

/// The version of a manifest, read before the rest, which a newer version may write in another way.
#[derive(Deserialize)]
struct VersionOnly {
    #[serde(default)]
    manifest_version: Option<String>,
    #[serde(default)]
    dxt_version: Option<String>,
}

/// The name of this system, as manifests write it.
#[must_use]
fn platform() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    }
}

impl Manifest {
    /// Reads the text of a manifest.
    ///
    /// # Errors
    /// It is not a manifest, of a version that is not known, or hides something.
    pub(super) fn read(text: &str) -> Result<Self, BundleError> {
        let text = text.trim_start_matches('\u{feff}');
        // The error may have a text of the manifest in it.
        let not_one = |error: serde_json::Error| {
            BundleError::manifest(format!(
                "It is not a manifest: {}.",
                plain(&error.to_string(), 300)
            ))
        };
        let version: VersionOnly = serde_json::from_str(text).map_err(not_one)?;
        match version.manifest_version.or(version.dxt_version) {
            None => {
                return Err(BundleError::manifest(
                    "It says no `manifest_version` (or `dxt_version`).",
                ));
            }
            Some(version) if !VERSIONS.contains(&version.as_str()) => {
                return Err(BundleError::new(
                    "Reading manifest.json of the bundle",
                    format!(
                        "It is of version {}; this Patchbay reads {} to {}.",
                        plain(&version, 20),
                        VERSIONS[0],
                        VERSIONS[VERSIONS.len() - 1]
                    ),
                    "Update Patchbay, or ask the author for a bundle of an earlier version.",
                ));
            }
            Some(_) => {}
        }
        let manifest: Self = serde_json::from_str(text).map_err(not_one)?;
        manifest.check()?;
        Ok(manifest)
    }

    /// The texts that name the bundle, or become a part of what is run on some system.
    fn decisive(&self) -> Vec<(&'static str, &str)> {
        let mut texts = vec![
            ("name", self.name.as_str()),
            ("version", &self.version),
            ("display_name", self.display_name.as_deref().unwrap_or_default()),
            ("author.name", &self.author.name),
            ("server.type", &self.server.kind),
            ("server.entry_point", &self.server.entry_point),
        ];
        if let Some(config) = &self.server.mcp_config {
            let others = || config.platform_overrides.values();
            let commands = [&config.command].into_iter();
            let commands = commands.chain(others().filter_map(|other| other.command.as_ref()));
            texts.extend(commands.map(|command| ("server.mcp_config.command", command.as_str())));
            let args = config
                .args
                .iter()
                .chain(others().flat_map(|other| other.args.iter().flatten()));
            texts.extend(args.map(|arg| ("server.mcp_config.args", arg.as_str())));
            let env = config
                .env
                .iter()
                .chain(others().flat_map(|other| other.env.iter().flatten()));
            texts.extend(env.flat_map(|(name, value)| {
                [name, value].map(|text| ("server.mcp_config.env", text.as_str()))
            }));
        }
        texts.extend(self.user_config.keys().map(|name| ("user_config", name.as_str())));
        texts
    }

    /// What could mislead in a review, and what no list has room for.
    fn check(&self) -> Result<(), BundleError> {
        for (member, text) in self.decisive() {
            if with_hidden_marked(text) != text {
                return Err(BundleError::new(
                    "Reading manifest.json of the bundle",
                    format!(
                        "`{member}` has control characters or invisible ones, which hide what it says: `{}`.",
                        plain(text, 120)
                    ),
                    ASK_AUTHOR,
                ));
            }
        }
        if self.name.trim().is_empty() {
            return Err(BundleError::manifest("Its `name` is empty."));
        }
        if !["node", "python", "binary", "uv"].contains(&self.server.kind.as_str()) {
            return Err(BundleError::manifest(format!(
                "Its `server.type` is `{}`, not node, python, binary or uv.",
                plain(&self.server.kind, 40)
            )));
        }
        let config = self.server.mcp_config.as_ref();
        if config.is_some_and(|config| config.command.trim().is_empty()) {
            return Err(BundleError::manifest("Its `server.mcp_config.command` is empty."));
        }
        let counts = [self.tools.len(), self.prompts.len(), self.user_config.len()];
        if counts.iter().any(|count| *count > MOST_ITEMS) {
            return Err(BundleError::manifest(format!(
                "It has more than {MOST_ITEMS} tools, prompts or settings."
            )));
        }
        Ok(())
    }

    /// Whether the bundle has the files that the manifest needs.
    pub(super) fn check_files(&self, has: impl Fn(&str) -> bool) -> Result<(), BundleError> {
        let entry_point = relative(&self.server.entry_point);
        if has(&entry_point) || has(&format!("{entry_point}.exe")) {
            return Ok(());
        }
        Err(BundleError::manifest(format!(
            "Its `server.entry_point` is `{}`, which the bundle does not have.",
            plain(&self.server.entry_point, 120)
        )))
    }

    /// The version of the manifest itself.
    #[must_use]
    pub fn format_version(&self) -> &str {
        self.manifest_version
            .as_deref()
            .or(self.dxt_version.as_deref())
            .unwrap_or_default()
    }

    /// The name for people.
    #[must_use]
    pub fn title(&self) -> &str {
        self.display_name
            .as_deref()
            .filter(|name| !name.trim().is_empty())
            .unwrap_or(&self.name)
    }

    /// `node`, `python`, `binary` or `uv`.
    #[must_use]
    pub fn server_type(&self) -> &str {
        &self.server.kind
    }

    /// The systems it is for (`darwin`, `win32`, `linux`); empty: all.
    #[must_use]
    pub fn platforms(&self) -> &[String] {
        &self.compatibility.platforms
    }

    /// The versions of runtimes that it needs, by runtime.
    pub fn runtimes(&self) -> impl Iterator<Item = (&str, &str)> {
        let runtimes = self.compatibility.runtimes.iter();
        runtimes.map(|(name, version)| (name.as_str(), version.as_str()))
    }

    /// Why it cannot be run on this system; none if it can.
    #[must_use]
    pub fn wrong_platform(&self) -> Option<String> {
        let platforms = self.platforms();
        let is_for_us = platforms.is_empty() || platforms.iter().any(|name| name == platform());
        (!is_for_us).then(|| {
            format!(
                "The bundle is for {}, not for this system ({}). Ask its author for one that is.",
                plain(&platforms.join(", "), 100),
                platform()
            )
        })
    }

    /// How it is run on this system: its own configuration, or that of its type, with what this system overrides.
    pub(super) fn config(&self) -> McpConfig {
        let mut config = self
            .server
            .mcp_config
            .clone()
            .unwrap_or_else(|| self.usual_config());
        if let Some(other) = config.platform_overrides.shift_remove(platform()) {
            config.command = other
                .command
                .filter(|command| !command.trim().is_empty())
                .unwrap_or(config.command);
            config.args = other.args.unwrap_or(config.args);
            config.env = other.env.unwrap_or(config.env);
        }
        config
    }

    /// How a type of server is run that says nothing itself.
    fn usual_config(&self) -> McpConfig {
        let entry_point = relative(&self.server.entry_point);
        let file = format!("${{__dirname}}/{entry_point}");
        let (command, args) = match self.server.kind.as_str() {
            "uv" => {
                let words = ["run", "--directory", "${__dirname}"].map(str::to_owned);
                ("uv".to_owned(), words.into_iter().chain([entry_point]).collect())
            }
            "binary" => (file, Vec::new()),
            kind => (kind.to_owned(), vec![file]),
        };
        McpConfig {
            command,
            args,
            env: IndexMap::new(),
            platform_overrides: IndexMap::new(),
        }
    }

    /// The files of the bundle that are run directly.
    pub(super) fn programs(&self) -> Vec<String> {
        if self.server.kind != "binary" {
            return Vec::new();
        }
        let command = self.config().command;
        let command = command.strip_prefix("${__dirname}").unwrap_or(&command);
        [command, &self.server.entry_point]
            .into_iter()
            .flat_map(|name| [relative(name), format!("{}.exe", relative(name))])
            .collect()
    }
}

/// A path within the bundle, as the archive names it.
pub(super) fn relative(path: &str) -> String {
    let path = path.replace('\\', "/");
    let path = path.trim_start_matches('/');
    path.trim_start_matches("./").to_owned()
}

/// The beginning of a foreign text, with what it hides written out.
pub(super) fn plain(text: &str, most: usize) -> String {
    with_hidden_marked(text).chars().take(most).collect()
}
