//! The options of an engine. Effects that differ between fronts are passed in here.

use std::{path::PathBuf, sync::Arc};

use patchbay_vault::Keychain;

use crate::InputChain;

/// How to open an [`Engine`](crate::Engine).
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// One folder for all files (`--data-dir`); none: the user's own folders.
    pub data_dir: Option<PathBuf>,
    /// Where the traffic log is stored.
    pub store: StoreChoice,
    /// The source of the environment of server processes.
    pub environment: EnvironmentChoice,
    /// The program that runs `demo-server`: the current executable, if it supports that.
    pub demo_program: Option<PathBuf>,
    /// The name in the lock's message: `the window` or `patchbay serve`.
    pub front: &'static str,
    /// The responders to input requests, in order.
    pub inputs: InputChain,
    /// Who opens the authorization page in a browser.
    pub browser: BrowserChoice,
    /// Where secrets are stored.
    pub secrets: SecretsChoice,
}

impl EngineOptions {
    /// Options that use one folder and nothing else of the user's: the log is temporary, the keychain is not used, no
    /// browser is opened, and no input request is answered. For tests.
    #[must_use]
    pub fn within(folder: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: Some(folder.into()),
            store: StoreChoice::Temporary,
            environment: EnvironmentChoice::Inherited,
            demo_program: None,
            front: "a test",
            inputs: InputChain::default(),
            browser: BrowserChoice::Shown,
            secrets: SecretsChoice::Memory,
        }
    }
}

/// Where secrets are stored.
#[derive(Clone, Default)]
pub enum SecretsChoice {
    /// In the vault of the data folder (without one: the user's own), with its key in the system's keychain.
    #[default]
    Vault,
    /// In the vault, with another keychain.
    Keychain(Arc<dyn Keychain>),
    /// In memory; the keychain is never used.
    Memory,
}

impl std::fmt::Debug for SecretsChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Vault => "Vault",
            Self::Keychain(_) => "Keychain",
            Self::Memory => "Memory",
        })
    }
}

/// Who opens the authorization page in a browser.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BrowserChoice {
    /// The engine, in the system browser.
    #[default]
    System,
    /// The front: `authorization_get` returns the address.
    Shown,
    /// Nobody: a run that needs the user fails.
    Nobody,
}

/// Where the traffic log is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreChoice {
    /// In the data folder, under a lock. Servers and UI state are written too.
    Persistent,
    /// In a temporary file that is deleted with the engine. Takes no lock and writes no other file of the user: configured
    /// servers are read, and changes stay in memory.
    Temporary,
}

/// The source of the environment of server processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnvironmentChoice {
    /// The inherited environment of this process.
    Inherited,
    /// That of the login shell if the desktop started this process, otherwise the inherited one.
    DesktopAware,
}
