//! Options for the authorization of an HTTP server.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use patchbay_contract::{AssertionDraft, AssertionFrom};

/// Authorization for an HTTP server. Secrets are passed by name, because other users can read the arguments of a program.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Authorization, for --url")]
pub(crate) struct AuthorizationArgs {
    /// Do not open a browser: exit with 7 if the user must agree. A stored token is used.
    #[arg(long)]
    pub(crate) no_browser: bool,
    /// The client ID, if Patchbay is registered with the authorization server.
    #[arg(long, value_name = "ID")]
    pub(crate) client_id: Option<String>,
    /// The environment variable that holds the client secret.
    #[arg(long, value_name = "NAME", requires = "client_id", value_parser = in_environment)]
    pub(crate) client_secret_env: Option<SecretArg>,
    /// The client's private key (`private_key_jwt`): a PEM file.
    #[arg(long, value_name = "FILE.pem", requires = "client_id", value_parser = in_file)]
    pub(crate) client_key: Option<SecretArg>,
    /// Authenticate as the client itself (client credentials grant), without a user.
    #[arg(long, requires = "client_id")]
    pub(crate) client_credentials: bool,
    /// Authenticate as a workload (JWT bearer grant), with the assertion in this file; it is read for each token.
    #[arg(
        long,
        value_name = "FILE",
        group = "assertion",
        conflicts_with = "client_credentials"
    )]
    pub(crate) assertion_file: Option<PathBuf>,
    /// The same, with the assertion in this environment variable.
    #[arg(
        long,
        value_name = "NAME",
        group = "assertion",
        conflicts_with = "client_credentials"
    )]
    pub(crate) assertion_env: Option<String>,
    /// The same, with the assertion that this command prints; no shell runs it.
    #[arg(
        long,
        value_name = "COMMAND",
        group = "assertion",
        conflicts_with = "client_credentials"
    )]
    pub(crate) assertion_command: Option<String>,
    /// Whether tokens are bound to a key (DPoP): `auto` where both servers support it.
    #[arg(long, value_name = "WHEN")]
    pub(crate) dpop: Option<Dpop>,
    /// Request this scope instead of those the server names; can be repeated.
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Vec<String>,
    /// The port for the browser's redirect; any free one by default.
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) redirect_port: Option<u16>,
}

impl AuthorizationArgs {
    /// Whether any of them was given.
    pub(crate) fn is_given(&self) -> bool {
        self.no_browser
            || self.client_id.is_some()
            || self.assertion().is_some()
            || self.dpop.is_some()
            || !self.scope.is_empty()
            || self.redirect_port.is_some()
    }

    /// The source of a workload's assertion.
    pub(crate) fn assertion(&self) -> Option<AssertionDraft> {
        let of = |from, value: String| Some(AssertionDraft { from, value });
        match (&self.assertion_file, &self.assertion_env, &self.assertion_command) {
            (Some(path), ..) => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                of(AssertionFrom::File, path.to_string_lossy().into_owned())
            }
            (_, Some(name), _) => of(AssertionFrom::Variable, name.clone()),
            (.., Some(command)) => of(AssertionFrom::Command, command.clone()),
            _ => None,
        }
    }
}

/// Whether tokens are bound to a key.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Dpop {
    /// Where the server and its authorization server support it.
    Auto,
    /// Always; a bearer token is refused.
    Always,
    /// Never.
    Never,
}

/// A secret passed by name. Not printed by `Debug`.
#[derive(Clone)]
pub(crate) struct SecretArg(pub(crate) String);

impl std::fmt::Debug for SecretArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretArg")
    }
}

/// The secret in a variable of this program's environment.
#[expect(
    clippy::disallowed_methods,
    reason = "options may be given in the environment of the command line"
)]
pub(super) fn in_environment(name: &str) -> Result<SecretArg, String> {
    match std::env::var(name) {
        Ok(value) if !value.is_empty() => Ok(SecretArg(value)),
        _ => Err("no such variable is set; give the name of one that holds the secret".to_owned()),
    }
}

fn in_file(path: &str) -> Result<SecretArg, String> {
    std::fs::read_to_string(path)
        .map(SecretArg)
        .map_err(|error| error.to_string())
}
