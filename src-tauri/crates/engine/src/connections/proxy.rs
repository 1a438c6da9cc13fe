//! The proxy of Patchbay, for everything that goes over HTTP: its settings in `proxy.json`, its password in the vault.

pub(crate) mod handlers;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard},
};

use patchbay_contract::{
    CommandError, ErrorCode, ProxyGetResponse, ProxyMode, ProxyPassword, ProxySetParams, ProxySettings,
};
use patchbay_http::{ProxyChoice, Settings, Url, is_loopback, system_proxy};
use patchbay_secret::Secret;
use patchbay_traffic::Recorder;
use patchbay_vault::{SecretId, Vault, random_name};
use serde::{Deserialize, Serialize};

use crate::{
    dispatch::error::{fail, vault_failed},
    files::json_file::{JsonFile, lock},
};

/// The longest user name and password that SOCKS has, in bytes.
const LONGEST_LOGIN: usize = 255;
/// The longest URL and list of hosts, in bytes.
const LONGEST: usize = 4096;

/// The proxy.
pub(crate) struct AppProxy {
    file: JsonFile,
    vault: Vault,
    recorder: Recorder,
    state: Arc<Mutex<State>>,
}

/// The content of the file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Saved {
    #[serde(flatten)]
    settings: ProxySettings,
    has_password: bool,
    /// The name of the password in the vault; none of one of an earlier version. A new password gets a new name, so that none goes to
    /// a proxy that it was not entered for, however a change ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    password_name: Option<String>,
}

#[derive(Default)]
struct State {
    saved: Saved,
    /// The password, once it was read.
    password: Option<Secret>,
    /// Grows with each change.
    changes: u64,
}

impl std::fmt::Debug for AppProxy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AppProxy")
    }
}

impl AppProxy {
    /// Reads the file if it exists. One that cannot be read is not overwritten: until it can, commands fail with the reason, and
    /// the proxy of the system is used.
    pub(crate) fn open(path: PathBuf, writable: bool, vault: Vault, recorder: Recorder) -> Self {
        let (file, saved) = JsonFile::open(path, writable, "settings of the proxy");
        Self {
            file,
            vault,
            recorder,
            state: Arc::new(Mutex::new(State {
                saved,
                ..State::default()
            })),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Fails if the file cannot be read.
    fn check(&self) -> Result<(), CommandError> {
        self.file.check(|saved| {
            let mut state = self.lock();
            state.saved = saved;
            state.changes += 1;
        })
    }

    fn get(&self) -> Result<ProxyGetResponse, CommandError> {
        self.check()?;
        let saved = self.lock().saved.clone();
        Ok(ProxyGetResponse {
            settings: saved.settings,
            has_password: saved.has_password,
            system: system_proxy(),
        })
    }

    async fn set(&self, params: ProxySetParams) -> Result<(), CommandError> {
        let change = self.file.begin().await;
        self.check()?;
        let settings = checked(params.settings).map_err(|why| fail(ErrorCode::InvalidParams, why))?;
        let mut new = None;
        let before = self.lock().saved.clone();
        let mut saved = Saved {
            settings,
            ..Saved::default()
        };
        match params.password {
            ProxyPassword::Keep if !saved.settings.user.is_empty() => {
                saved.has_password = before.has_password;
                saved.password_name.clone_from(&before.password_name);
            }
            ProxyPassword::Keep | ProxyPassword::None => {}
            ProxyPassword::Set { text } => {
                let secret = password(text, &saved.settings)?;
                saved.has_password = true;
                saved.password_name = Some(random_name().map_err(vault_failed)?);
                self.vault
                    .put(vec![(id(&saved), secret.clone())])
                    .await
                    .map_err(vault_failed)?;
                self.mask(&saved.settings.user, &secret);
                new = Some(secret);
            }
        }
        let has_password = saved.has_password;
        let (state, after) = (self.state.clone(), saved.clone());
        let put = move || {
            let mut state = lock(&state);
            state.saved = after;
            state.changes += 1;
            if new.is_some() || !has_password {
                state.password = new;
            }
        };
        let written = self.file.write(change, saved.clone(), put).await;
        let (used, unused) = if written.is_ok() {
            (saved, before)
        } else {
            (before, saved)
        };
        // One that cannot be deleted now is harmless, because nothing refers to it.
        if unused.has_password
            && id(&unused) != id(&used)
            && let Err(error) = self.vault.remove(vec![id(&unused)]).await
        {
            tracing::warn!(%error, "a password of the proxy that is not used any more is still in the vault");
        }
        written.map(drop)
    }

    /// Masks the password, and what is sent of it, from now on.
    fn mask(&self, user: &str, password: &Secret) {
        let pair = Secret::new(format!("{user}:{}", password.expose()));
        self.recorder.redact(vec![password.clone(), pair]);
    }

    /// How often it was changed: what was made with it before is made again.
    pub(crate) fn changes(&self) -> u64 {
        self.lock().changes
    }

    /// What is used now. The password is in it once [`Self::ready`] has returned.
    pub(crate) fn choice(&self) -> ProxyChoice {
        let _ = self.check();
        let state = self.lock();
        let settings = &state.saved.settings;
        match settings.mode {
            ProxyMode::System => ProxyChoice::System,
            ProxyMode::None => ProxyChoice::None,
            ProxyMode::Manual => ProxyChoice::Except {
                url: with_login(settings, state.password.as_ref()),
                bypass: settings.bypass.clone(),
            },
        }
    }

    /// The settings of a client that uses it.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            proxy: self.choice(),
            ..Settings::default()
        }
    }

    /// Reads the password from the vault, if a request to this URL may need it.
    ///
    /// # Errors
    /// `VaultNeeded` if the vault is not open; `NotFound` if the password is missing.
    pub(crate) async fn ready(&self, url: &str) -> Result<(), CommandError> {
        // As `choice` does: the file may be readable only now.
        let _ = self.check();
        if Url::parse(url).is_ok_and(|url| url.host_str().is_some_and(is_loopback)) {
            return Ok(());
        }
        while let Some((user, id, changes)) = self.missing() {
            let password = self.vault.get(&id).await.map_err(vault_failed)?;
            if let Some(password) = &password {
                self.mask(&user, password);
            }
            let mut state = self.lock();
            // The user may have changed the settings meanwhile, for example while the keychain asked: then it is an old one.
            if state.changes != changes {
                continue;
            }
            state.password = Some(password.ok_or_else(|| {
                fail(
                    ErrorCode::NotFound,
                    "The vault does not hold the password of the proxy. Enter it again in Settings > Proxy.",
                )
            })?);
        }
        Ok(())
    }

    /// The user whose password is still to be read, its name, and how often the settings have changed; none if no password is
    /// needed.
    fn missing(&self) -> Option<(String, SecretId, u64)> {
        let state = self.lock();
        let saved = &state.saved;
        let is_manual = saved.settings.mode == ProxyMode::Manual;
        let is_needed = saved.has_password && is_manual && state.password.is_none();
        is_needed.then(|| (saved.settings.user.clone(), id(saved), state.changes))
    }
}

fn id(saved: &Saved) -> SecretId {
    SecretId(match &saved.password_name {
        Some(name) => format!("proxy/password-{name}"),
        None => "proxy/password".to_owned(),
    })
}

/// The URL with user name and password.
fn with_login(settings: &ProxySettings, password: Option<&Secret>) -> String {
    let Ok(mut url) = Url::parse(&settings.url) else {
        return settings.url.clone();
    };
    if !settings.user.is_empty() {
        // Both fail only for a URL without a host.
        let _ = url.set_username(&settings.user);
        let _ = url.set_password(password.map(Secret::expose));
    }
    url.to_string()
}

/// The settings as stored; the error is a sentence.
fn checked(mut settings: ProxySettings) -> Result<ProxySettings, String> {
    settings.url = settings.url.trim().trim_end_matches('/').to_owned();
    settings.user = settings.user.trim().to_owned();
    settings.bypass = bypass(&settings.bypass)?;
    if settings.user.len() > LONGEST_LOGIN {
        return Err(format!(
            "The user name of a proxy has at most {LONGEST_LOGIN} bytes."
        ));
    }
    if settings.user.contains(char::is_control) {
        return Err("The user name of a proxy cannot hold control characters.".to_owned());
    }
    if settings.mode != ProxyMode::Manual && settings.url.is_empty() {
        return Ok(settings);
    }
    if settings.url.is_empty() {
        return Err("The proxy needs a URL, like http://proxy.example:3128.".to_owned());
    }
    if settings.url.len() > LONGEST {
        return Err(format!("The URL of a proxy has at most {LONGEST} bytes."));
    }
    let url = Url::parse(&settings.url).map_err(|why| {
        format!("The URL of the proxy cannot be read: {why}. Write it like http://proxy.example:3128.")
    })?;
    if !matches!(url.scheme(), "http" | "https" | "socks5" | "socks5h") {
        return Err(format!(
            "The URL of a proxy begins with http://, https:// or socks5://, not {}:.",
            url.scheme()
        ));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err("The URL of the proxy has no host.".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("Enter the user name and password in their own fields, not in the URL.".to_owned());
    }
    if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
        return Err("The URL of a proxy ends with its port.".to_owned());
    }
    Ok(settings)
}

/// A list of hosts as stored; the error is a sentence.
fn bypass(text: &str) -> Result<String, String> {
    if text.len() > LONGEST {
        return Err(format!("The list of hosts has at most {LONGEST} bytes."));
    }
    let mut hosts: Vec<String> = Vec::new();
    for host in text
        .split([',', ';', ' ', '\t', '\r', '\n'])
        .filter(|host| !host.is_empty())
    {
        // `*.example.com` means what `example.com` means.
        let plain = host.strip_prefix("*.").unwrap_or(host);
        let is_address = plain.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok();
        let is_host = |text: &str| {
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
            text.chars().all(is_part) && text.chars().any(char::is_alphanumeric)
        };
        let is_network = plain.split_once('/').is_some_and(|(address, bits)| {
            let most = match address.parse() {
                Ok(std::net::IpAddr::V4(_)) => 32,
                Ok(std::net::IpAddr::V6(_)) => 128,
                Err(_) => return false,
            };
            bits.parse::<u8>().is_ok_and(|bits| bits <= most)
        });
        if !(plain == "*" || is_address || is_network || is_host(plain)) {
            return Err(format!(
                "`{host}` is not a host name, an address or a network. Write it without scheme, port and path."
            ));
        }
        let plain = plain.trim_matches(['[', ']']).to_owned();
        if !hosts.contains(&plain) {
            hosts.push(plain);
        }
    }
    Ok(hosts.join(", "))
}

fn password(text: String, settings: &ProxySettings) -> Result<Secret, CommandError> {
    let invalid = |why: String| fail(ErrorCode::InvalidParams, why);
    if settings.user.is_empty() {
        return Err(invalid("A password needs a user name. Enter it too.".to_owned()));
    }
    if text.is_empty() || text.len() > LONGEST_LOGIN {
        return Err(invalid(format!(
            "The password of a proxy has 1 to {LONGEST_LOGIN} bytes."
        )));
    }
    Ok(Secret::new(text))
}

#[cfg(test)]
mod tests;
