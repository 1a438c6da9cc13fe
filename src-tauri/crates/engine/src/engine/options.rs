//! How an engine is opened. Effects that differ between fronts are passed in here.

use std::{path::PathBuf, sync::Arc};

use patchbay_vault::Keychain;

use crate::InputChain;

/// How to open an [`Engine`](crate::Engine).
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// One folder for everything (`--data-dir`); the user's own folders if none.
    pub data_dir: Option<PathBuf>,
    /// Where the traffic log is kept.
    pub store: StoreChoice,
    /// Where the environment of server processes is from.
    pub environment: EnvironmentChoice,
    /// The program that answers `demo-server`: the running executable, if it can.
    pub demo_program: Option<PathBuf>,
    /// Who we are in the lock's message: `the window` or `patchbay serve`.
    pub front: &'static str,
    /// Who answers what servers ask, in order.
    pub inputs: InputChain,
    /// Who opens the page on which the user agrees to an authorization.
    pub browser: BrowserChoice,
    /// Where secrets are kept.
    pub secrets: SecretsChoice,
}

impl EngineOptions {
    /// Within one folder, and nothing else of the user's touched: the log is temporary, the keychain is not asked, no
    /// browser is opened, and nobody answers what servers ask. Tests begin with this.
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

/// Where secrets are kept.
#[derive(Clone, Default)]
pub enum SecretsChoice {
    /// In the vault of the data folder (without one: the user's own), its key in the system's keychain.
    #[default]
    Vault,
    /// The same with another keychain.
    Keychain(Arc<dyn Keychain>),
    /// In memory; the keychain is never asked.
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

/// Who opens the page on which the user agrees to an authorization.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BrowserChoice {
    /// The engine, in the system's browser.
    #[default]
    System,
    /// Anyone who looks at the run: `authorization_get` names the address.
    Shown,
    /// Nobody: a run that needs the user fails there.
    Nobody,
}

/// Where the traffic log is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreChoice {
    /// In the data folder, under a lock. Servers and UI state are written too.
    Persistent,
    /// In a temporary file that goes when the engine goes. Takes no lock and writes nothing else of the user's:
    /// configured servers are read, changes to them stay in memory.
    Temporary,
}

/// Where the environment of server processes is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnvironmentChoice {
    /// Ours, as a terminal gave it to us.
    Inherited,
    /// The login shell's if the desktop started us, else ours.
    DesktopAware,
}
