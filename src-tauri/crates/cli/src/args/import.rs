//! Arguments of `patchbay import`.

use clap::Args;

use super::setting;

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A host, or the path of its configuration (JSON, TOML or YAML).
    pub(crate) source: Option<String>,
    /// Import only this server, by its name in the host; several: several times.
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Vec<String>,
    /// Only servers of the project in this folder, as Claude Code has them; '' for those of no project.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<String>,
    /// What to do with a server that differs from the one of that name in Patchbay.
    #[arg(long, value_enum, default_value_t = Differing::Leave)]
    pub(crate) differing: Differing,
    /// An answer to what VS Code asks for when a server starts (`inputs`). What is missing is asked for.
    #[arg(long, value_name = "ID=VALUE", value_parser = setting)]
    pub(crate) set: Vec<(String, String)>,
    /// Store secrets as plaintext in the settings, instead of in the vault.
    #[arg(long)]
    pub(crate) plain_secrets: bool,
    /// Only list the servers and what differs; change nothing.
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// Import without asking, for scripts.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// What is done with a server that differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Differing {
    /// Leave the one in Patchbay as it is.
    #[default]
    Leave,
    /// Change how the one in Patchbay is started or reached.
    Update,
    /// Add it beside the one in Patchbay, under a free name.
    Add,
}
