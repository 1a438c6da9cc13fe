//! The options of `patchbay chat`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use patchbay_contract::ProviderApi;

use super::{
    InputArgs, ServerArgs, Which,
    authorization::{SecretArg, in_environment},
    seconds,
};

/// Who answers, and with the tools of which servers.
#[derive(Debug, Args)]
pub(crate) struct ChatArgs {
    /// The API of the model's provider; `manual` takes the answers from stdin, one a line: text, or
    /// {"text": …, "calls": [{"name": …, "arguments": {…}}]}.
    #[arg(long, value_enum)]
    pub(crate) provider: ChatProvider,
    /// The part of the provider's addresses before /chat/completions or /messages. [default: the provider's own]
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// The model.
    #[arg(long, value_name = "NAME", required_if_eq_any([("provider", "openai"), ("provider", "anthropic")]))]
    pub(crate) model: Option<String>,
    /// The environment variable that holds the provider's key.
    #[arg(long, value_name = "VAR", value_parser = in_environment)]
    pub(crate) key_env: Option<SecretArg>,
    /// Start a server with this command line; can be repeated, as --url and --server.
    #[arg(long, value_name = "COMMAND LINE")]
    pub(crate) stdio: Vec<String>,
    /// Connect to the server at this address.
    #[arg(long)]
    pub(crate) url: Vec<String>,
    /// Use a server saved in the app.
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Vec<String>,
    /// Use the servers of a group of the app that are not disabled.
    #[arg(long, value_name = "NAME")]
    pub(crate) group: Vec<String>,
    /// Use the servers of --server although they are disabled, for this run.
    #[arg(long)]
    pub(crate) use_disabled: bool,
    /// Which calls run: all, those of tools that their server marks as read-only, none, or ask about each at the terminal.
    /// What does not run is denied, and the model is told. With read-only you trust, for this run, what all servers named here
    /// say about their tools.
    #[arg(long, value_enum, default_value_t = Approve::Ask)]
    pub(crate) approve: Approve,
    /// After this many answers, exit with 8.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) max_rounds: u32,
    /// After this many tokens of requests and answers, exit with 8.
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_turn_tokens: u32,
    /// The system prompt.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) system: String,
    /// The message; read from stdin if not given.
    #[arg(short = 'p', long, value_name = "TEXT")]
    pub(crate) prompt: Option<String>,
    /// The timeout of the handshake and of each request to a server, at most 600. [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<u32>,
    /// Record all traffic in FILE, one JSON object per line; overwrites it.
    #[arg(long, value_name = "FILE.jsonl")]
    pub(crate) record: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
}

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChatProvider {
    Openai,
    Anthropic,
    Manual,
}

/// Which calls run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Approve {
    All,
    ReadOnly,
    None,
    Ask,
}

impl ChatProvider {
    /// The API, and where its own provider is; none if the user answers.
    pub(crate) fn api(self) -> Option<(ProviderApi, &'static str)> {
        match self {
            Self::Openai => Some((ProviderApi::ChatCompletions, "https://api.openai.com/v1")),
            Self::Anthropic => Some((ProviderApi::Anthropic, "https://api.anthropic.com/v1")),
            Self::Manual => None,
        }
    }
}

impl ChatArgs {
    /// What holds for the whole run.
    pub(crate) fn common(&mut self) -> ServerArgs {
        ServerArgs {
            inputs: std::mem::take(&mut self.inputs),
            record: self.record.take(),
            // Secrets of saved servers are in the vault; without one, the key needs no vault.
            in_memory: self.server.is_empty() && self.group.is_empty(),
            ..ServerArgs::default()
        }
    }

    /// The servers, in the order of their kinds.
    pub(crate) fn servers(&self) -> Vec<ServerArgs> {
        let server = |which: Which| ServerArgs {
            which,
            timeout: self.timeout,
            use_disabled: self.use_disabled,
            trust_annotations: self.approve == Approve::ReadOnly,
            ..ServerArgs::default()
        };
        let stdio = self.stdio.iter().map(|line| Which {
            stdio: Some(line.clone()),
            ..Which::default()
        });
        let urls = self.url.iter().map(|url| Which {
            url: Some(url.clone()),
            ..Which::default()
        });
        let saved = self.server.iter().map(|name| Which {
            server: Some(name.clone()),
            ..Which::default()
        });
        stdio.chain(urls).chain(saved).map(server).collect()
    }
}
