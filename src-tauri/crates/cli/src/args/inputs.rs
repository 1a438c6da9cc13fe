//! The options that answer the requests of a server, and those that decide what is declared to it.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use patchbay_contract::AdvertisedDraft;
use patchbay_engine::{ElicitationRule, InputChain, Responder, SamplingRule, check_object, read_text};

use super::simulate::SimulateArgs;
use crate::exit::Problem;

/// The largest file with an answer, in bytes.
const LARGEST_ANSWER: u64 = 16 * 1024 * 1024;

/// Responses to the server's input requests. Without a rule the capability is not declared. For one kind of request, a fixed
/// rule comes before `--simulate`, and that before `ask`.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Responses to the server's input requests")]
pub(crate) struct InputArgs {
    /// Respond to elicitation: with the form's defaults, by declining, by cancelling, with this result (JSON object, or a
    /// file with one), or ask at the terminal.
    #[arg(long, value_name = "accept-defaults|decline|cancel|JSON|file:ANSWER.json|ask", value_parser = elicitation)]
    pub(crate) on_elicitation: Option<OnElicitation>,
    /// Respond to sampling: by declining, with this text, with this result (JSON object, or a file with one), with a model,
    /// or ask at the terminal.
    ///
    /// NAME is a model provider that was added in Patchbay's UI (its default model is used), PROVIDER/MODEL, or a model if
    /// there is one provider only.
    #[arg(long, value_name = "decline|TEXT|JSON|file:ANSWER.json|ask|model:NAME", value_parser = sampling)]
    pub(crate) on_sampling: Option<OnSampling>,
    /// Declare this folder as a root; can be repeated.
    #[arg(long, value_name = "DIR", value_parser = root)]
    pub(crate) root: Vec<PathBuf>,
    /// Declare the folders of this shared set as roots; can be repeated. Shared sets are edited in Patchbay's UI.
    #[arg(long, value_name = "NAME")]
    pub(crate) root_set: Vec<String>,
    #[command(flatten)]
    pub(crate) simulate: SimulateArgs,
}

impl InputArgs {
    /// The chain of responders for the engine: first the fixed rules, then the simulator, then `terminal`, which asks the user.
    pub(crate) fn chain(&self, terminal: impl Responder + 'static, json: bool) -> InputChain {
        let mut chain = InputChain::default();
        if let Some(OnElicitation::Rule(rule)) = &self.on_elicitation {
            chain = chain.with(rule.clone());
        }
        match &self.on_sampling {
            Some(OnSampling::Rule(rule)) => chain = chain.with(rule.clone()),
            Some(OnSampling::Model(name)) => chain = chain.with_model(name, unanswered(json)),
            Some(OnSampling::Ask) | None => {}
        }
        if self.has_roots() {
            chain = chain.with_roots(self.root.clone(), self.root_set.clone());
        }
        let chain = self.simulate.add(chain);
        match self.asks() {
            true => chain.with_last(terminal),
            false => chain,
        }
    }

    /// Whether roots are given.
    pub(crate) fn has_roots(&self) -> bool {
        !self.root.is_empty() || !self.root_set.is_empty()
    }

    /// Whether something is asked at the terminal.
    pub(crate) fn asks(&self) -> bool {
        self.asks_elicitation() || self.asks_sampling()
    }

    /// Whether elicitation is asked at the terminal.
    pub(crate) fn asks_elicitation(&self) -> bool {
        self.on_elicitation == Some(OnElicitation::Ask)
    }

    /// Whether sampling is asked at the terminal.
    pub(crate) fn asks_sampling(&self) -> bool {
        self.on_sampling == Some(OnSampling::Ask)
    }
}

/// Says why a model did not answer.
fn unanswered(json: bool) -> fn(&str) {
    match json {
        true => |words: &str| Problem::notice(words).say(true),
        false => |words: &str| Problem::notice(words).say(false),
    }
}

/// What is declared to the server. Only what a rule answers is declared at all.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "What is declared to the server")]
pub(crate) struct AdvertisedArgs {
    /// Do not declare this capability although a rule answers it; can be repeated.
    #[arg(long, value_name = "CAPABILITY", value_enum)]
    pub(crate) no_capability: Vec<Capability>,
    /// Declare these experimental capabilities: a JSON object.
    #[arg(long, value_name = "JSON", value_parser = capabilities)]
    pub(crate) experimental: Option<String>,
    /// Declare these extensions instead of the supported ones: a JSON object.
    #[arg(long, value_name = "JSON", value_parser = capabilities)]
    pub(crate) extensions: Option<String>,
    /// Offer this revision instead of the newest; any text is sent as it is. A known one decides the era.
    #[arg(long, value_name = "REVISION")]
    pub(crate) offer_revision: Option<String>,
    /// Go on if the server answers with an unknown revision.
    #[arg(long)]
    pub(crate) any_revision: bool,
}

/// A capability, or a part of one, that can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Capability {
    Sampling,
    #[value(name = "sampling.tools")]
    SamplingTools,
    #[value(name = "elicitation.form")]
    ElicitationForm,
    #[value(name = "elicitation.url")]
    ElicitationUrl,
    Roots,
    #[value(name = "roots.listChanged")]
    RootsListChanged,
    Tasks,
}

impl AdvertisedArgs {
    /// Changes the settings of a server for this run.
    pub(crate) fn adjust(&self, draft: &mut Option<AdvertisedDraft>) {
        let mut changed = draft.take().unwrap_or_default();
        for capability in &self.no_capability {
            let on = match capability {
                Capability::Sampling => &mut changed.sampling,
                Capability::SamplingTools => &mut changed.sampling_tools,
                Capability::ElicitationForm => &mut changed.elicitation_form,
                Capability::ElicitationUrl => &mut changed.elicitation_url,
                Capability::Roots => &mut changed.roots,
                Capability::RootsListChanged => &mut changed.roots_list_changed,
                Capability::Tasks => &mut changed.tasks,
            };
            *on = false;
        }
        changed.experimental_json = self.experimental.clone().or(changed.experimental_json);
        changed.extensions_json = self.extensions.clone().or(changed.extensions_json);
        changed.revision = self.offer_revision.clone().or(changed.revision);
        changed.any_revision |= self.any_revision;
        *draft = Some(changed).filter(|changed| *changed != AdvertisedDraft::default());
    }
}

/// How elicitation is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OnElicitation {
    /// By a fixed rule.
    Rule(ElicitationRule),
    /// By the user at the terminal.
    Ask,
}

/// How sampling is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OnSampling {
    /// By a fixed rule.
    Rule(SamplingRule),
    /// By a model with this name.
    Model(String),
    /// By the user at the terminal.
    Ask,
}

fn elicitation(text: &str) -> Result<OnElicitation, String> {
    let rule = match text {
        "ask" => return Ok(OnElicitation::Ask),
        "accept-defaults" => ElicitationRule::AcceptDefaults,
        "decline" => ElicitationRule::Decline,
        "cancel" => ElicitationRule::Cancel,
        text => match text.strip_prefix("file:") {
            Some(path) => ElicitationRule::Result(object_in(path)?),
            None => ElicitationRule::Result(object(text)?),
        },
    };
    Ok(OnElicitation::Rule(rule))
}

fn sampling(text: &str) -> Result<OnSampling, String> {
    let prefixed = |prefix: &str| text.strip_prefix(prefix);
    Ok(match text {
        "ask" => OnSampling::Ask,
        "decline" => OnSampling::Rule(SamplingRule::Decline),
        "model:" => return Err("name a model provider: model:NAME".to_owned()),
        json if json.trim_start().starts_with('{') => OnSampling::Rule(SamplingRule::Result(object(json)?)),
        text => match (prefixed("model:"), prefixed("file:")) {
            (Some(name), _) => OnSampling::Model(name.to_owned()),
            (None, Some(path)) => OnSampling::Rule(SamplingRule::Result(object_in(path)?)),
            (None, None) => OnSampling::Rule(SamplingRule::Text(text.to_owned())),
        },
    })
}

fn object(json: &str) -> Result<String, String> {
    named("answers", json)
}

fn capabilities(json: &str) -> Result<String, String> {
    named("capabilities", json)
}

fn named(what: &str, json: &str) -> Result<String, String> {
    check_object(what, json).map_err(|error| error.message)?;
    Ok(json.trim().replace(['\n', '\r'], " "))
}

/// The JSON object in a file.
fn object_in(path: &str) -> Result<String, String> {
    let text = read_text(Path::new(path), LARGEST_ANSWER).map_err(|error| format!("{path}: {error}"))?;
    object(text.trim_start_matches('\u{feff}')).map_err(|why| format!("{path}: {why}"))
}

fn root(folder: &str) -> Result<PathBuf, String> {
    let path = std::path::absolute(folder).map_err(|error| error.to_string())?;
    match path.is_dir() {
        true => Ok(path),
        false => Err("is not a folder".to_owned()),
    }
}
