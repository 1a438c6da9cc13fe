//! The files in which each host keeps its servers.

use std::path::PathBuf;

use patchbay_contract::HostFormat;

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    /// JSON with comments and trailing commas.
    Json,
    Toml,
    Yaml,
}

/// The systems on which a place exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Os {
    Any,
    Unix,
    Windows,
}

/// What a path begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    /// The home folder.
    Home,
    /// `$XDG_CONFIG_HOME` or `~/.config`, on macOS too.
    DotConfig,
    /// Where the system wants settings: `~/.config`, `~/Library/Application Support`, `%APPDATA%`.
    Settings,
}

/// A file of a host.
pub(super) struct Row {
    pub(super) host: &'static str,
    pub(super) format: HostFormat,
    pub(super) os: Os,
    pub(super) base: Base,
    pub(super) path: &'static str,
    pub(super) syntax: Syntax,
    /// The members that lead to the list of servers.
    pub(super) list: &'static [&'static str],
}

pub(super) const fn row(
    host: &'static str,
    format: HostFormat,
    (os, base): (Os, Base),
    path: &'static str,
    syntax: Syntax,
    list: &'static [&'static str],
) -> Row {
    Row {
        host,
        format,
        os,
        base,
        path,
        syntax,
        list,
    }
}

use Base::{DotConfig, Home, Settings};
use HostFormat as Format;
use Os::{Any, Unix, Windows};
use Syntax::{Json, Toml, Yaml};

pub(super) const MCP_SERVERS: &[&str] = &["mcpServers"];

/// Every file that is looked for. The first of a format is where an export belongs.
#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    row("Claude Desktop", Format::ClaudeDesktop, (Any, Settings), "Claude/claude_desktop_config.json", Json, MCP_SERVERS),
    row("Claude Code", Format::ClaudeCode, (Any, Home), ".claude.json", Json, MCP_SERVERS),
    row("Cursor", Format::Cursor, (Any, Home), ".cursor/mcp.json", Json, MCP_SERVERS),
    row("Windsurf", Format::Windsurf, (Any, Home), ".codeium/windsurf/mcp_config.json", Json, MCP_SERVERS),
    row("Cline", Format::Cline, (Any, Settings), "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", Json, MCP_SERVERS),
    row("Cline CLI", Format::Cline, (Any, Home), ".cline/data/settings/cline_mcp_settings.json", Json, MCP_SERVERS),
    row("VS Code", Format::VsCode, (Any, Settings), "Code/User/mcp.json", Json, &["servers"]),
    row("VS Code settings", Format::VsCode, (Any, Settings), "Code/User/settings.json", Json, &["mcp", "servers"]),
    row("VS Code Insiders", Format::VsCode, (Any, Settings), "Code - Insiders/User/mcp.json", Json, &["servers"]),
    row("Zed", Format::Zed, (Unix, DotConfig), "zed/settings.json", Json, &["context_servers"]),
    row("Zed", Format::Zed, (Windows, Settings), "Zed/settings.json", Json, &["context_servers"]),
    row("Codex", Format::Codex, (Any, Home), ".codex/config.toml", Toml, &["mcp_servers"]),
    row("Goose", Format::Goose, (Unix, DotConfig), "goose/config.yaml", Yaml, &["extensions"]),
    row("Goose", Format::Goose, (Windows, Settings), "Block/goose/config/config.yaml", Yaml, &["extensions"]),
    row("Gemini CLI", Format::GeminiCli, (Any, Home), ".gemini/settings.json", Json, MCP_SERVERS),
    row("LM Studio", Format::LmStudio, (Any, Home), ".lmstudio/mcp.json", Json, MCP_SERVERS),
];

/// The folders of the user in which hosts keep their files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostFolders {
    /// The home folder.
    pub home: PathBuf,
    /// `$XDG_CONFIG_HOME` or `~/.config`, on every system.
    pub dot_config: PathBuf,
    /// Where this system wants settings.
    pub settings: PathBuf,
}

impl HostFolders {
    /// Those of the current user; none without a home folder.
    #[must_use]
    pub fn of_user() -> Option<Self> {
        let dirs = directories::BaseDirs::new()?;
        let dot_config = match cfg!(any(target_os = "macos", windows)) {
            true => dirs.home_dir().join(".config"),
            false => dirs.config_dir().to_owned(),
        };
        Some(Self {
            home: dirs.home_dir().to_owned(),
            dot_config,
            settings: dirs.config_dir().to_owned(),
        })
    }

    /// Where a file is; none on another system.
    pub(super) fn path(&self, row: &Row) -> Option<PathBuf> {
        let here = match row.os {
            Any => true,
            Unix => !cfg!(windows),
            Windows => cfg!(windows),
        };
        let base = match row.base {
            Home => &self.home,
            DotConfig => &self.dot_config,
            Settings => &self.settings,
        };
        here.then(|| base.join(row.path))
    }
}
