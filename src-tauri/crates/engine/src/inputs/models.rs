//! The configured model providers: their settings in `providers.json`, their keys in the vault, and how they are reached.

mod file;
pub(crate) mod handlers;
mod keys;
mod view;

pub(crate) use view::failure;

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard},
};

use patchbay_contract::{
    CommandError, ErrorCode, ModelChoice, ProviderId, ProviderItem, ProviderKey, ProviderSaveParams,
    SamplingRules, ServerId,
};
use patchbay_http::Client;
use patchbay_llm::{Answer, Api, Candidate, Delta, Failure, Model, Preferences, Prompt, Provider, Wire};
use patchbay_secret::Secret;
use patchbay_traffic::{ConnectionRef, NewConnection, OperationId, Origin, Recorder};
use patchbay_vault::{Vault, random_name};
use tokio::sync::mpsc;

use crate::{
    connections::proxy::AppProxy,
    convert::masked_text,
    dispatch::error::{fail, fail_with, vault_failed as failed},
    dispatch::nudges::{Nudges, Topic},
    files::json_file::{Change, JsonFile, lock},
};
use file::SavedProvider;

/// The maximum number of providers.
const MOST: usize = 50;
/// The maximum length of a key, in bytes.
const LONGEST_KEY: usize = 4096;

/// The providers.
pub(crate) struct Models {
    file: JsonFile,
    vault: Vault,
    recorder: Recorder,
    proxy: Arc<AppProxy>,
    nudges: Arc<Nudges>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    saved: file::Saved,
    /// The keys of providers that are for this run only. They are never in the vault.
    keys: HashMap<ProviderId, Secret>,
    /// The models of each provider, as last listed.
    listed: HashMap<ProviderId, Vec<Model>>,
    /// The connection of the log for each provider, with the name it was begun under.
    connections: HashMap<ProviderId, (String, ConnectionRef)>,
    /// The client, and how often the proxy had been changed when it was made.
    http: Option<(u64, Client)>,
}

impl std::fmt::Debug for Models {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Models")
    }
}

impl Models {
    /// Reads the file if it exists. One that cannot be read is not overwritten: commands fail with the reason, until it can.
    pub(crate) fn open(
        path: PathBuf,
        writable: bool,
        vault: Vault,
        (recorder, proxy): (Recorder, Arc<AppProxy>),
        nudges: Arc<Nudges>,
    ) -> Self {
        let (file, saved) = JsonFile::open(path, writable, "model providers");
        Self {
            file,
            vault,
            recorder,
            proxy,
            nudges,
            state: Arc::new(Mutex::new(State {
                saved,
                ..State::default()
            })),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// The providers, for the UI.
    pub(crate) fn list(&self) -> Result<Vec<ProviderItem>, CommandError> {
        self.file.check(|saved| self.lock().saved = saved)?;
        let state = self.lock();
        let items = state.saved.providers.iter();
        Ok(items
            .map(|saved| view::item(saved, state.listed.get(&saved.id)))
            .collect())
    }

    /// Adds or replaces a provider.
    pub(crate) async fn save(&self, params: ProviderSaveParams) -> Result<ProviderId, CommandError> {
        let writing = self.file.begin().await;
        self.file.check(|saved| self.lock().saved = saved)?;
        let before = params.provider_id.as_ref().map(|id| self.saved(id)).transpose()?;
        let (mut saved, key) = checked(params, before.as_ref())?;
        if before.is_none() && self.lock().saved.providers.len() >= MOST {
            return Err(invalid(format!("There are {MOST} providers already.")));
        }
        // What was listed holds for the same address with the same key.
        let is_same = matches!(key, ProviderKey::Keep)
            && before
                .as_ref()
                .is_some_and(|before| before.api == saved.api && before.base_url == saved.base_url);
        let is_kept = matches!(key, ProviderKey::Keep);
        match key {
            ProviderKey::Set { text } => self.keep_key(&mut saved, Secret::new(text)).await?,
            ProviderKey::Keep => {}
            ProviderKey::None => (saved.has_key, saved.key_name) = (false, None),
        }
        let (id, has_key) = (saved.id.clone(), saved.has_key);
        let new = saved.clone();
        let change = |all: &mut file::Saved| match all.providers.iter_mut().find(|known| known.id == saved.id)
        {
            Some(known) => *known = saved,
            None => all.providers.push(saved),
        };
        let changed = id.clone();
        let forget = move |state: &mut State| {
            if !is_same {
                state.listed.remove(&changed);
            }
            if !has_key {
                state.keys.remove(&changed);
            }
        };
        let written = self.change(writing, change, forget).await;
        let unused = if written.is_ok() { before } else { Some(new) };
        if let Some(unused) = unused.filter(|_| !is_kept) {
            self.forget_key(&unused).await;
        }
        written.map(|_| id)
    }

    /// Removes a provider, then its key.
    pub(crate) async fn remove(&self, id: &ProviderId) -> Result<(), CommandError> {
        let writing = self.file.begin().await;
        self.file.check(|saved| self.lock().saved = saved)?;
        let saved = self.saved(id)?;
        let removed = id.clone();
        let forget = move |state: &mut State| {
            state.listed.remove(&removed);
            state.connections.remove(&removed);
            state.keys.remove(&removed);
        };
        let change = |all: &mut file::Saved| all.providers.retain(|known| known.id != *id);
        let _change = self.change(writing, change, forget).await?;
        self.forget_key(&saved).await;
        Ok(())
    }

    /// The stored rules of a server for sampling.
    pub(crate) fn rules(&self, server: &str) -> Option<SamplingRules> {
        self.lock().saved.sampling.get(server).cloned()
    }

    /// Stores the rules of a server; none forgets them.
    pub(crate) async fn set_rules(
        &self,
        server: &ServerId,
        rules: Option<SamplingRules>,
    ) -> Result<(), CommandError> {
        let writing = self.file.begin().await;
        self.file.check(|saved| self.lock().saved = saved)?;
        if rules.is_none() && self.rules(&server.0).is_none() {
            return Ok(());
        }
        let change = |all: &mut file::Saved| {
            match rules {
                Some(rules) => all.sampling.insert(server.0.clone(), rules),
                None => all.sampling.remove(&server.0),
            };
        };
        self.change(writing, change, |_| {}).await.map(drop)
    }

    /// Applies a change, writes it and notifies the fronts; `forget` removes what no longer holds then. If it cannot be
    /// written, nothing changes.
    async fn change(
        &self,
        writing: Change,
        change: impl FnOnce(&mut file::Saved),
        forget: impl FnOnce(&mut State) + Send + 'static,
    ) -> Result<Change, CommandError> {
        let mut after = self.lock().saved.clone();
        change(&mut after);
        let (state, nudges, new) = (self.state.clone(), self.nudges.clone(), after.clone());
        let put = move || {
            let mut state = lock(&state);
            state.saved = new;
            forget(&mut state);
            drop(state);
            nudges.changed(Topic::Providers);
        };
        self.file.write(writing, after, put).await
    }

    fn saved(&self, id: &ProviderId) -> Result<SavedProvider, CommandError> {
        let state = self.lock();
        let found = state.saved.providers.iter().find(|known| known.id == *id);
        found
            .cloned()
            .ok_or_else(|| fail(ErrorCode::NotFound, "This model provider was removed."))
    }

    /// Requests the models of a provider and remembers them until Patchbay exits.
    pub(crate) async fn models(
        &self,
        id: &ProviderId,
        operation: OperationId,
    ) -> Result<Result<Vec<Model>, Failure>, CommandError> {
        self.file.check(|saved| self.lock().saved = saved)?;
        let asked = self.saved(id)?;
        let (provider, wire) = self.reach(id, operation).await?;
        let models = provider.models(&wire).await;
        if let Ok(models) = &models {
            self.remember_listed(&asked, models);
        }
        Ok(models)
    }

    /// Remembers the models of a provider, unless it was changed or removed while it was asked.
    fn remember_listed(&self, asked: &SavedProvider, models: &[Model]) {
        let mut state = self.lock();
        let is_as_asked = |now: &SavedProvider| now.id == asked.id && now.lists_as(asked);
        if !state.saved.providers.iter().any(is_as_asked) {
            return;
        }
        state.listed.insert(asked.id.clone(), models.to_vec());
        drop(state);
        self.nudges.changed(Topic::Providers);
    }

    /// Requests the models of a program on this machine that is not configured.
    pub(crate) async fn models_at(
        &self,
        name: &str,
        base_url: &str,
        operation: OperationId,
    ) -> Result<Result<Vec<Model>, Failure>, CommandError> {
        let base_url = patchbay_llm::parse_base_url(base_url).map_err(invalid)?;
        let provider = Provider {
            api: Api::ChatCompletions,
            base_url,
            key: None,
        };
        let wire = self.wire(&ProviderId(format!("find-{name}")), name, operation)?;
        Ok(provider.models(&wire).await)
    }

    /// Sends a request to a model. The outer error is ours, the inner one the provider's.
    pub(crate) async fn generate(
        &self,
        choice: (&ProviderId, &str),
        params: &str,
        operation: OperationId,
        deltas: &mpsc::Sender<Delta>,
    ) -> Result<Result<Answer, Failure>, CommandError> {
        let (id, model) = choice;
        // No secret of the vault is sent to a model, and what is not known cannot be masked.
        self.vault.reveal().await.map_err(failed)?;
        let params = masked_text(&self.recorder, params.to_owned());
        let prompt = match Prompt::parse(&params) {
            Ok(prompt) => prompt,
            Err(failure) => return Ok(Err(failure)),
        };
        let (provider, wire) = self.reach(id, operation).await?;
        Ok(provider.generate(&wire, model, &prompt, deltas).await)
    }

    /// The model for a request, by its hints and priorities, among the listed and the default models.
    pub(crate) fn choose(&self, params: &str) -> Option<ModelChoice> {
        let state = self.lock();
        let mut models: Vec<(&SavedProvider, Model)> = Vec::new();
        for saved in &state.saved.providers {
            let listed = state.listed.get(&saved.id).map_or(&[][..], Vec::as_slice);
            models.extend(listed.iter().map(|model| (saved, model.clone())));
            let default = saved.default_model.iter();
            let unlisted = default.filter(|id| listed.iter().all(|model| model.id != **id));
            models.extend(unlisted.map(|id| (saved, view::unlisted(id))));
        }
        let candidates: Vec<Candidate<'_>> = models
            .iter()
            .map(|(saved, model)| Candidate {
                provider: &saved.name,
                model,
                is_default: saved.default_model.as_ref() == Some(&model.id),
            })
            .collect();
        let choice = patchbay_llm::choose(&Preferences::of_params(params), &candidates)?;
        let (saved, model) = models.get(choice.index)?;
        Some(ModelChoice {
            provider_id: saved.id.clone(),
            model: model.id.clone(),
            reason: choice.reason,
        })
    }

    /// The model that a name on the command line means: `PROVIDER`, `PROVIDER/MODEL`, or `MODEL` if there is one provider.
    pub(crate) fn named(&self, name: &str) -> Result<(ProviderId, String), CommandError> {
        self.file.check(|saved| self.lock().saved = saved)?;
        let state = self.lock();
        let providers = &state.saved.providers;
        if let Some(saved) = providers.iter().find(|saved| saved.name == name) {
            let model = saved.default_model.clone().ok_or_else(|| {
                invalid(format!(
                    "The provider {name} has no default model. Name one: model:{name}/MODEL."
                ))
            })?;
            return Ok((saved.id.clone(), model));
        }
        for saved in providers {
            let model = name
                .strip_prefix(&saved.name)
                .and_then(|rest| rest.strip_prefix('/'));
            if let Some(model) = model.filter(|model| !model.is_empty()) {
                return Ok((saved.id.clone(), model.to_owned()));
            }
        }
        match &providers[..] {
            [] => Err(invalid(
                "No model provider is configured. Add one in Patchbay's UI.".to_owned(),
            )),
            [only] => Ok((only.id.clone(), name.to_owned())),
            several => {
                let names: Vec<&str> = several.iter().map(|saved| &*saved.name).collect();
                Err(invalid(format!(
                    "There is no model provider {name}. Write PROVIDER/MODEL; the providers are {}.",
                    names.join(", ")
                )))
            }
        }
    }

    /// The name of a provider, for the log.
    pub(crate) fn name(&self, id: &ProviderId) -> String {
        self.saved(id).map(|saved| saved.name).unwrap_or_default()
    }

    /// A provider with its key, and the way to it.
    pub(crate) async fn reach(
        &self,
        id: &ProviderId,
        operation: OperationId,
    ) -> Result<(Provider, Wire), CommandError> {
        self.file.check(|saved| self.lock().saved = saved)?;
        let saved = self.saved(id)?;
        let key = self.key(&saved).await?;
        if saved.has_key && key.is_none() {
            return Err(fail(
                ErrorCode::NotFound,
                format!(
                    "The vault does not hold the key of {}. Enter it again.",
                    saved.name
                ),
            ));
        }
        if let Some(key) = &key {
            self.recorder.redact(vec![key.clone()]);
        }
        let provider = Provider {
            api: view::api(saved.api),
            base_url: patchbay_llm::parse_base_url(&saved.base_url).map_err(invalid)?,
            key,
        };
        self.proxy.ready(&saved.base_url).await?;
        Ok((provider, self.wire(id, &saved.name, operation)?))
    }

    fn wire(&self, id: &ProviderId, name: &str, operation: OperationId) -> Result<Wire, CommandError> {
        let mut state = self.lock();
        let changes = self.proxy.changes();
        let http = match &state.http {
            Some((made_at, http)) if *made_at == changes => http.clone(),
            _ => {
                let made = Client::new(self.proxy.settings(), self.recorder.clone());
                let made =
                    made.map_err(|error| fail_with(ErrorCode::Internal, "HTTP is not available.", error))?;
                state.http.insert((changes, made)).1.clone()
            }
        };
        let known = state.connections.get(id).filter(|(begun_as, _)| begun_as == name);
        let connection = match known {
            Some((_, connection)) => *connection,
            None => {
                let connection = self.recorder.connection(NewConnection {
                    server_id: format!("provider/{id}"),
                    server_name: name.to_owned(),
                    origin: Origin::Model,
                });
                state
                    .connections
                    .insert(id.clone(), (name.to_owned(), connection));
                connection
            }
        };
        Ok(Wire {
            http,
            connection,
            operation: Some(operation),
        })
    }
}

/// The settings as they are stored, and what to do with the key.
fn checked(
    params: ProviderSaveParams,
    before: Option<&SavedProvider>,
) -> Result<(SavedProvider, ProviderKey), CommandError> {
    let name = params.name.trim().to_owned();
    if name.is_empty() || name.chars().count() > 100 || name.contains(char::is_control) {
        return Err(invalid(
            "A provider's name has 1 to 100 characters and no line breaks.".to_owned(),
        ));
    }
    let base_url = patchbay_llm::parse_base_url(&params.base_url).map_err(invalid)?;
    let default_model = params.default_model.map(|model| model.trim().to_owned());
    let default_model = default_model.filter(|model| !model.is_empty());
    if default_model.as_ref().is_some_and(|model| model.len() > 512) {
        return Err(invalid("A model's name has at most 512 characters.".to_owned()));
    }
    let moved = before.is_some_and(|before| {
        let old = patchbay_llm::parse_base_url(&before.base_url);
        old.is_ok_and(|old| old.origin() != base_url.origin())
    });
    let key = match params.key {
        // A key goes to the origin that it was entered for, and nowhere else.
        ProviderKey::Keep if moved => ProviderKey::None,
        ProviderKey::Set { text } => {
            let text = text.trim().to_owned();
            if text.is_empty()
                || text.len() > LONGEST_KEY
                || !text.bytes().all(|byte| byte.is_ascii_graphic())
            {
                return Err(invalid(
                    "The key is empty or has characters that no key has.".to_owned(),
                ));
            }
            ProviderKey::Set { text }
        }
        other => other,
    };
    let id = match before {
        Some(before) => before.id.clone(),
        None => ProviderId(random_name().map_err(failed)?),
    };
    let saved = SavedProvider {
        id,
        name,
        api: params.api,
        base_url: base_url.to_string(),
        has_key: before.is_some_and(|before| before.has_key),
        key_name: before.and_then(|before| before.key_name.clone()),
        default_model,
    };
    Ok((saved, key))
}

fn invalid(why: String) -> CommandError {
    fail(ErrorCode::InvalidParams, why)
}

#[cfg(test)]
mod tests;
