//! The definition of the command line and its help.

mod authorization;
mod chat;
mod import;
mod inputs;
mod quota;
mod simulate;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::exit::EXIT_CODES;

pub(crate) use authorization::{AuthorizationArgs, Dpop};
pub(crate) use chat::{Approve, ChatArgs, ChatProvider};
pub(crate) use import::{Differing, ImportArgs};
pub(crate) use inputs::{AdvertisedArgs, InputArgs, OnSampling};
pub(crate) use quota::Limit;

/// What stands below the options: the exit codes and an example.
fn after_help() -> String {
    let codes: Vec<String> = EXIT_CODES
        .iter()
        .map(|(code, meaning)| format!("  {code:>3}  {meaning}"))
        .collect();
    format!(
        "Exit codes:\n{}\n\nExample:\n  patchbay tools call --stdio 'patchbay demo-server' add '{{\"a\":9007199254740993,\"b\":1}}'",
        codes.join("\n")
    )
}

/// Inspect, test and change everything that passes between a host and its MCP servers.
///
/// Results go to stdout exactly as received, messages to stderr. On a terminal, control characters are written out.
#[derive(Debug, Parser)]
#[command(name = "patchbay", version, after_help = after_help())]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// Use DIR for all files instead of the user's own folders.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Write errors and notices of Patchbay to stderr as {"code", "message", "detail"}; doctor, check, chat, add, import, traffic
    /// quota and tools diff also print their results as JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the whole UI to a browser on this machine, at an address that opens in one browser.
    Serve(ServeArgs),
    /// Run the built-in demo server over stdin and stdout.
    DemoServer,
    /// Add servers to the app, after showing what would be started.
    ///
    /// Nothing is started, and nothing is contacted but the address of a server.json, to read it. Patchbay must not be running with
    /// the same data folder.
    ///
    /// Example: patchbay add 'npx -y @modelcontextprotocol/server-everything'
    Add(AddArgs),
    /// Import servers of other hosts (Claude Desktop, Cursor, VS Code, Zed, Codex, Goose …), after showing what differs.
    ///
    /// SOURCE is a host, such as cursor, or the path of a configuration; without it, every host on this machine is looked at.
    /// Without --server, servers are added that are new here and enabled in the host. Nothing is started or contacted, and
    /// secrets are not shown; they go into the vault. Patchbay must not be running with the same data folder.
    ///
    /// Example: patchbay import cursor --dry-run
    Import(ImportArgs),
    /// Diagnose, step by step, why a server cannot be reached.
    ///
    /// Prints a line for each step; exits with 2 if a step failed, with 7 if the server requires authorization.
    Doctor {
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Check recorded traffic against the specification, without a server.
    ///
    /// FILE was written by --record or exported from the traffic log. Prints a line for each violation, with the number of
    /// its record; exits with 6 if a MUST was broken.
    Check {
        /// The recording: JSON lines.
        file: PathBuf,
    },
    /// Send a message to a model that uses the tools of servers, and print its answer.
    ///
    /// Calls of tools are said on stderr. With --json, prints each event on one line: tool_blocked (its definition changed and
    /// is not accepted: the model does not get it), masked (the secrets that the model does not get), model_request, text, tool_call,
    /// input_request (a call waits for you), tool_result, done. Exits with 8 if the limit of answers or of tokens was reached.
    ///
    /// Example: patchbay chat --provider openai --base-url http://127.0.0.1:11434/v1 --model qwen3 --stdio 'patchbay demo-server' --approve read-only -p 'Greet Ada'
    Chat(Box<ChatArgs>),
    /// Show or change the limits of the stored traffic log.
    #[command(subcommand)]
    Traffic(Traffic),
    /// Print the completion script of a shell.
    ///
    /// Example: patchbay completions bash > ~/.local/share/bash-completion/completions/patchbay
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page of patchbay, or write those of all commands into a folder.
    ///
    /// Example: patchbay man ~/.local/share/man/man1
    Man {
        /// The folder, which is created if it is missing; pages of the same name are replaced.
        #[arg(value_name = "DIR")]
        dir: Option<PathBuf>,
    },
    #[command(flatten)]
    OneShot(OneShot),
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Listen on this port of 127.0.0.1; a free one if not given.
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// A command line, a URL, the JSON of another host, a link (patchbay://add?…), a server.json or its URL, or the path of a
    /// configuration (.json) or a bundle (.mcpb); `-` reads it from stdin.
    pub(crate) text: String,
    /// The package or address of a server.json to use, if there are several: its number, from 1.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) package: Option<usize>,
    /// A setting of a bundle or a package; several values: several times. What is required and missing is asked for.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) set: Vec<(String, String)>,
    /// The name in the list, for one server.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Add without asking, for scripts. Secrets in the text need the vault.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// `NAME=VALUE`.
fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE is expected")?;
    Ok((name.to_owned(), value.to_owned()))
}

#[derive(Debug, Subcommand)]
pub(crate) enum Traffic {
    /// Print the size of the log and its limits; with an option, change the limit first.
    ///
    /// Records over a limit are deleted, the oldest first. Patchbay must not be running with the same data folder.
    ///
    /// Example: patchbay traffic quota --max-size 2GB --max-age 30d
    Quota(QuotaArgs),
}

#[derive(Debug, Args)]
pub(crate) struct QuotaArgs {
    /// The maximum size of the log: a number with B, KB, MB or GB, at least 1048576B; `none` for no limit.
    #[arg(long, value_name = "SIZE|none", value_parser = quota::size)]
    pub(crate) max_size: Option<Limit>,
    /// The maximum age of a record: a number with s, min, h or d, at least 1min; `none` for no limit.
    #[arg(long, value_name = "AGE|none", value_parser = quota::age)]
    pub(crate) max_age: Option<Limit>,
}

/// One-shot commands: connect, send a request, print the result and exit.
#[derive(Debug, Subcommand)]
pub(crate) enum OneShot {
    /// Send any request and print its result.
    ///
    /// Example: patchbay request --stdio 'npx -y @modelcontextprotocol/server-everything' tools/list
    Request {
        #[command(flatten)]
        server: ServerArgs,
        /// The method, as the specification writes it.
        method: String,
        /// The params, as a JSON object; sent verbatim.
        #[arg(value_name = "PARAMS-JSON")]
        params: Option<String>,
    },
    /// List or call tools, and compare and accept their definitions.
    #[command(subcommand)]
    Tools(Tools),
    /// List or read resources, or list their templates.
    #[command(subcommand)]
    Resources(Resources),
    /// List prompts or get one.
    #[command(subcommand)]
    Prompts(Prompts),
    /// List tasks (2025-11-25).
    #[command(subcommand)]
    Tasks(Tasks),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Tools {
    /// Print the result of each page of tools/list, one per line.
    List {
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Call a tool and print its result.
    Call {
        #[command(flatten)]
        server: ServerArgs,
        /// The tool's name.
        name: String,
        /// The arguments, as a JSON object; sent verbatim.
        #[arg(value_name = "ARGS-JSON", default_value = "{}", hide_default_value = true)]
        arguments: String,
        /// Call it as a task (2025-11-25) and print the result of the task. Tools with `taskSupport: required` need it.
        #[arg(long)]
        task: bool,
    },
    /// Print how the tools of a saved server differ from their accepted definitions.
    ///
    /// The app remembers the definitions when it first lists the tools. Exits with 8 if calls of a tool are refused until
    /// its change is accepted. With --json, prints the differences as JSON.
    Diff {
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Accept the listed definitions of tools of a saved server, so that the tools can be called again.
    ///
    /// Example: patchbay tools accept --server files read_file
    Accept {
        #[command(flatten)]
        server: ServerArgs,
        /// The tools to accept. For a tool that is no longer listed, its definition is forgotten.
        #[arg(value_name = "TOOL", required_unless_present = "all", conflicts_with = "all")]
        names: Vec<String>,
        /// Accept all tools as they are listed.
        #[arg(long)]
        all: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Resources {
    /// Print the result of each page of resources/list, one per line.
    List {
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Read a resource and print the result.
    Read {
        #[command(flatten)]
        server: ServerArgs,
        /// The resource's URI.
        uri: String,
    },
    /// Print the result of each page of resources/templates/list, one per line.
    Templates {
        #[command(flatten)]
        server: ServerArgs,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Prompts {
    /// Print the result of each page of prompts/list, one per line.
    List {
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Get a prompt and print the result.
    Get {
        #[command(flatten)]
        server: ServerArgs,
        /// The prompt's name.
        name: String,
        /// The arguments, as a JSON object of strings; sent verbatim.
        #[arg(value_name = "ARGS-JSON")]
        arguments: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Tasks {
    /// Print the result of each page of tasks/list, one per line.
    List {
        #[command(flatten)]
        server: ServerArgs,
    },
}

/// The server and how to connect to it.
#[derive(Debug, Default, Args)]
pub(crate) struct ServerArgs {
    #[command(flatten)]
    pub(crate) which: Which,
    /// The protocol era; auto tries server/discover first and falls back to initialize.
    #[arg(long, value_enum)]
    pub(crate) era: Option<Era>,
    /// The timeout of the handshake and of each request, at most 600. [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<u32>,
    /// Count the time in which the server waits for an answer to its own requests against the timeout.
    #[arg(long)]
    pub(crate) count_input_wait: bool,
    /// Set an environment variable of the server; can be repeated.
    #[arg(long, value_name = "K=V", value_parser = assignment)]
    pub(crate) env: Vec<(String, String)>,
    /// Start the program with all of the current environment, not only a short list of variables without secrets.
    #[arg(long)]
    pub(crate) inherit_env: bool,
    /// Use the server of --server although it is disabled, for this run.
    #[arg(long)]
    pub(crate) use_disabled: bool,
    #[command(flatten)]
    pub(crate) http: HttpArgs,
    #[command(flatten)]
    pub(crate) authorization: AuthorizationArgs,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) advertised: AdvertisedArgs,
    /// Change a limit of what the server may cost, such as listPages=20; can be repeated. The page Limits of the documentation has all of them.
    #[arg(long, value_name = "NAME=NUMBER", value_parser = limit)]
    pub(crate) limit: Vec<(String, u32)>,
    /// Record all traffic in FILE, one JSON object per line; overwrites it.
    #[arg(long, value_name = "FILE.jsonl")]
    pub(crate) record: Option<PathBuf>,
    /// What the server says about its tools is trusted for this run.
    #[arg(skip)]
    pub(crate) trust_annotations: bool,
    /// Secrets of this run are kept in memory.
    #[arg(skip)]
    pub(crate) in_memory: bool,
}

impl ServerArgs {
    /// Checks that clap cannot express (`requires` gives way to the group of `--stdio`, `--url` and `--server`).
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        match (&self.which.url, &self.which.stdio) {
            // The transport of a saved server is not known yet.
            (None, Some(_)) if !self.http.header.is_empty() => {
                Err("`--header` requires `--url`; a program has no headers. Use `--env`.")
            }
            (None, Some(_)) if self.http.is_given() || self.authorization.is_given() => Err(
                "HTTP and authorization options require `--url`; a program is reached over its stdin and stdout.",
            ),
            (Some(_), _) if !self.env.is_empty() || self.inherit_env => Err(
                "`--env` and `--inherit-env` require `--stdio`; the environment of an HTTP server cannot be set.",
            ),
            _ => Ok(()),
        }
    }
}

/// How to reach an HTTP server.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Options for --url")]
pub(crate) struct HttpArgs {
    /// Send a header with every request; can be repeated. Values are masked in the recording.
    #[arg(long, value_name = "K: V", value_parser = header)]
    pub(crate) header: Vec<(String, String)>,
    /// The HTTP transport; auto tries Streamable HTTP first, then HTTP+SSE. [default: auto]
    #[arg(long, value_enum)]
    pub(crate) transport: Option<Transport>,
    /// Use this proxy (http://, https:// or socks5://) instead of the one in the settings; `none` for no proxy, `system` for the
    /// one that the environment names.
    #[arg(long, value_name = "URL|none")]
    pub(crate) proxy: Option<String>,
    /// Also trust the certificate authorities in this PEM file.
    #[arg(long, value_name = "FILE.pem")]
    pub(crate) ca_file: Option<PathBuf>,
    /// Authenticate with this client certificate: a PEM file with certificate and key.
    #[arg(long, value_name = "FILE.pem")]
    pub(crate) client_certificate: Option<PathBuf>,
    /// Accept the server certificate with this SHA-256 fingerprint, even if it is not trusted.
    #[arg(long, value_name = "SHA256")]
    pub(crate) accept_fingerprint: Option<String>,
}

impl HttpArgs {
    /// Whether any of them was given.
    pub(crate) fn is_given(&self) -> bool {
        !self.header.is_empty()
            || self.transport.is_some()
            || self.proxy.is_some()
            || self.ca_file.is_some()
            || self.client_certificate.is_some()
            || self.accept_fingerprint.is_some()
    }
}

#[derive(Debug, Default, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Which {
    /// Start a server with this command line (KEY=value before it sets variables). No shell is used.
    #[arg(long, value_name = "COMMAND LINE")]
    pub(crate) stdio: Option<String>,
    /// Connect to the server at this address (http:// or https://).
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// Use a server saved in the app.
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Era {
    Auto,
    Legacy,
    Modern,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Transport {
    Auto,
    StreamableHttp,
    Sse,
}

/// Seconds as milliseconds.
fn seconds(text: &str) -> Result<u32, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if (0.001..=600.0).contains(&seconds) {
        // Fits the type: at most 600,000.
        Ok((seconds * 1000.0).round() as u32)
    } else {
        Err("must be more than 0 and at most 600".to_owned())
    }
}

fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("must look like NAME=value".to_owned()),
    }
}

fn limit(text: &str) -> Result<(String, u32), String> {
    let (name, number) = text.split_once('=').ok_or("must look like NAME=NUMBER")?;
    let number = number
        .parse()
        .map_err(|_| format!("`{number}` is not a number"))?;
    Ok((name.to_owned(), number))
}

fn header(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("must look like 'Name: value'".to_owned()),
    }
}

#[cfg(test)]
mod tests;
