//! How the server of a bundle is started: its configuration with every `${…}` filled in.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use patchbay_contract::{EnvVar, TransportDraft};
use patchbay_secret::Secret;

use super::{
    error::BundleError,
    manifest::{Manifest, McpConfig, relative},
    places::{Part, Places, parts, shown},
    settings::Entered,
};
use crate::{entry::split_command, secrets::reference};

/// A server that can be added.
#[derive(Debug)]
pub struct Launch {
    /// How it is started. Secrets are references to the vault.
    pub transport: TransportDraft,
    /// The names of these references, and the values.
    pub secrets: Vec<(String, Secret)>,
}

impl Manifest {
    /// How the server is started, with its variables: for a review.
    #[must_use]
    pub fn preview(&self) -> TransportDraft {
        let McpConfig {
            command, args, env, ..
        } = self.config();
        let env = env.into_iter().map(|(name, value)| EnvVar { name, value });
        TransportDraft::Stdio {
            command,
            args,
            env: env.collect(),
            cwd: None,
        }
    }
}

/// What the variables of a configuration mean.
struct Filling<'a, F> {
    folder: &'a str,
    places: &'a Places,
    values: HashMap<String, Entered>,
    /// The references that were made, by setting.
    references: HashMap<String, Vec<String>>,
    secrets: Vec<(String, Secret)>,
    new_name: F,
}

impl<E, F: Fn() -> Result<String, E>> Filling<'_, F> {
    /// A text with its variables. `None` if it is nothing but a setting that was not entered.
    fn text(&mut self, text: &str) -> Result<Option<String>, E> {
        let mut filled = String::new();
        let mut is_only_absent = true;
        for part in parts(text) {
            let Part::Variable(name) = part else {
                if let Part::Text(text) = part {
                    is_only_absent &= text.is_empty();
                    filled.push_str(text);
                }
                continue;
            };
            let setting = name.strip_prefix("user_config.");
            if let Some(value) = setting.map(|setting| self.setting(setting)).transpose()? {
                is_only_absent &= value.is_none();
                filled.push_str(&value.unwrap_or_default());
                continue;
            }
            is_only_absent = false;
            match name {
                "__dirname" => filled.push_str(self.folder),
                name => match self.places.get(name) {
                    Some(value) => filled.push_str(value),
                    None => filled.push_str(&format!("${{{name}}}")),
                },
            }
        }
        Ok((!is_only_absent || text.is_empty()).then_some(filled))
    }

    /// The value of a setting within a text. Several paths are separated as in PATH.
    fn setting(&mut self, setting: &str) -> Result<Option<String>, E> {
        if let Some(Entered::Text(text)) = self.values.get(setting) {
            return Ok(Some(text.clone()));
        }
        let separator = if cfg!(windows) { ";" } else { ":" };
        Ok(self.several(setting)?.map(|all| all.join(separator)))
    }

    /// The values of a setting that has several, or secrets: then references.
    fn several(&mut self, setting: &str) -> Result<Option<Vec<String>>, E> {
        let secrets = match self.values.get(setting) {
            None | Some(Entered::Text(_)) => return Ok(None),
            Some(Entered::List(all)) => return Ok(Some(all.clone())),
            Some(Entered::Secrets(secrets)) => secrets,
        };
        if let Some(known) = self.references.get(setting) {
            return Ok(Some(known.clone()));
        }
        let mut made = Vec::new();
        for value in secrets {
            let name = (self.new_name)()?;
            made.push(reference(&name));
            self.secrets.push((name, Secret::new(value.expose())));
        }
        self.references.insert(setting.to_owned(), made.clone());
        Ok(Some(made))
    }

    /// The arguments. One that is nothing but a setting with several values becomes several.
    fn args(&mut self, args: &[String]) -> Result<Vec<String>, E> {
        let mut filled = Vec::new();
        for arg in args {
            let setting = arg
                .strip_prefix("${user_config.")
                .and_then(|rest| rest.strip_suffix('}'));
            match setting
                .map(|setting| self.several(setting))
                .transpose()?
                .flatten()
            {
                Some(all) => filled.extend(all),
                None => filled.extend(self.text(arg)?),
            }
        }
        Ok(filled)
    }
}

/// Why a launch could not be made.
#[derive(Debug)]
pub enum LaunchError<E> {
    /// What was entered, or the manifest.
    Bundle(BundleError),
    /// No name for a secret could be made.
    Name(E),
}

/// See [`Bundle::launch`](super::Bundle::launch). `is_inside` says whether the bundle has a file.
pub(super) fn launch<E>(
    manifest: &Manifest,
    is_inside: impl Fn(&str) -> bool,
    folder: &Path,
    places: &Places,
    values_json: &str,
    new_name: impl Fn() -> Result<String, E>,
) -> Result<Launch, LaunchError<E>> {
    let values = manifest.entered(values_json).map_err(LaunchError::Bundle)?;
    let config = manifest.config();
    let folder = shown(folder);
    let mut filling = Filling {
        folder: &folder,
        places,
        values,
        references: HashMap::new(),
        secrets: Vec::new(),
        new_name,
    };
    let command = filling.text(&config.command).map_err(LaunchError::Name)?;
    if !filling.secrets.is_empty() {
        let cause = "Its `server.mcp_config.command` has a secret setting in it.";
        return Err(LaunchError::Bundle(BundleError::manifest(cause)));
    }
    let args = filling.args(&config.args).map_err(LaunchError::Name)?;
    let command = program(command.unwrap_or_default(), &folder, is_inside);
    // Settings that are stored without arguments may have a whole command line as their command; those of a bundle may not, else
    // a setting in it would become several arguments.
    if split_command(command.clone(), args.clone()).1 != args {
        let cause =
            "Its `server.mcp_config.command` has spaces in it, and would be taken apart like a command line.";
        return Err(LaunchError::Bundle(BundleError::manifest(cause)));
    }
    let mut env = Vec::new();
    for (name, value) in config.env {
        // An optional setting that was not entered sets no variable.
        if let Some(value) = filling.text(&value).map_err(LaunchError::Name)? {
            env.push(EnvVar { name, value });
        }
    }
    Ok(Launch {
        transport: TransportDraft::Stdio {
            command,
            args,
            env,
            // Relative arguments are those of a file in the bundle.
            cwd: Some(folder.clone()),
        },
        secrets: filling.secrets,
    })
}

/// The program, as a path if it is in the bundle.
fn program(command: String, folder: &str, is_inside: impl Fn(&str) -> bool) -> String {
    let inside = match command.strip_prefix(folder) {
        Some(rest) => relative(rest),
        None if Path::new(&command).is_absolute() => return command,
        None => relative(&command),
    };
    let named = [inside.clone(), format!("{inside}.exe")];
    let Some(name) = named.iter().find(|name| is_inside(name)) else {
        return command;
    };
    let path: PathBuf = name.split('/').collect();
    shown(&Path::new(folder).join(path))
}

/// See [`Bundle::needs_in_path`](super::Bundle::needs_in_path).
pub(super) fn needs_in_path(manifest: &Manifest, is_inside: impl Fn(&str) -> bool) -> Option<String> {
    let command = manifest.config().command;
    let is_in_path = !command.contains(['/', '\\', '$']) && !is_inside(&relative(&command));
    is_in_path.then_some(command)
}
