//! The models of a provider, and the programs on this machine that may be one.

use patchbay_http::{Method, Request};
use patchbay_protocol::json::{self, Object};

use crate::provider::SHORT_TIMEOUT;
use crate::stream::json_body;
use crate::{Api, Failure, Provider, Wire};

/// The maximum size of a list, in bytes. OpenRouter's has about half a megabyte.
const LIST_LIMIT: usize = 8 << 20;
/// The maximum number of models that are kept.
const MOST_MODELS: usize = 5_000;
/// The maximum length of a model's id, in bytes.
const LONGEST_ID: usize = 512;
/// What providers call the size of the context: OpenRouter, vLLM, Anthropic, Groq, Mistral.
const CONTEXT: [&str; 5] = [
    "context_length",
    "max_model_len",
    "max_input_tokens",
    "context_window",
    "max_context_length",
];

/// A model.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Its id.
    pub id: String,
    /// Its display name, if the provider has one that differs.
    pub name: Option<String>,
    /// The size of its context, in tokens, if the provider says so.
    pub context: Option<u64>,
    /// Its price, if the provider says so.
    pub price: Option<Price>,
    /// Whether it takes images, if the provider says so.
    pub images: Option<bool>,
}

/// A price, in US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Of the request.
    pub input: f64,
    /// Of the answer.
    pub output: f64,
}

/// A program that offers models on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalProvider {
    /// Its name.
    pub name: &'static str,
    /// Its base URL, with its usual port.
    pub base_url: &'static str,
}

/// The programs that are looked for when the user asks for it, at their usual addresses. All speak Chat Completions.
pub const LOCAL: [LocalProvider; 3] = [
    LocalProvider {
        name: "Ollama",
        base_url: "http://127.0.0.1:11434/v1",
    },
    LocalProvider {
        name: "LM Studio",
        base_url: "http://127.0.0.1:1234/v1",
    },
    LocalProvider {
        name: "llama.cpp",
        base_url: "http://127.0.0.1:8080/v1",
    },
];

impl Provider {
    /// Lists the models: one request, which also shows whether address and key are right (but for providers that
    /// publish their list).
    ///
    /// # Errors
    /// The list was not received.
    pub async fn models(&self, wire: &Wire) -> Result<Vec<Model>, Failure> {
        let path = match self.api {
            // One page: there are far fewer than this.
            Api::Anthropic => "models?limit=1000",
            Api::ChatCompletions => "models",
        };
        let mut request = Request::new(Method::GET, self.address(path));
        request.head_timeout = Some(SHORT_TIMEOUT);
        let mut response = self.send(wire, request).await?;
        read_models(&json_body(&mut response, LIST_LIMIT).await?)
    }
}

/// Reads the list of either API. Models without a usable id are left out.
pub(crate) fn read_models(body: &str) -> Result<Vec<Model>, Failure> {
    let data = Object::parse(body)
        .ok()
        .and_then(|list| json::array(list.get("data")?))
        .ok_or_else(|| Failure::not_a_provider("The response is JSON, but not a list of models."))?;
    Ok(data
        .into_iter()
        .filter_map(read_model)
        .take(MOST_MODELS)
        .collect())
}

fn read_model(text: &str) -> Option<Model> {
    let model = Object::parse(text).ok()?;
    let id = model
        .string("id")
        .filter(|id| !id.is_empty() && id.len() <= LONGEST_ID)?;
    let name = model.string("display_name").or_else(|| model.string("name"));
    // llama.cpp says in `meta` how it was trained.
    let meta = model.get("meta").and_then(|meta| Object::parse(meta).ok());
    let trained = || meta.and_then(|meta| json::integer(meta.get("n_ctx_train")?));
    let context = CONTEXT
        .iter()
        .find_map(|name| model.get(name).and_then(json::integer))
        .or_else(trained)
        .and_then(|tokens| u64::try_from(tokens).ok())
        .filter(|tokens| *tokens > 0);
    Some(Model {
        name: name
            .filter(|name| *name != id && name.len() <= LONGEST_ID)
            .map(Into::into),
        price: model.get("pricing").and_then(read_price),
        images: takes_images(&model),
        context,
        id: id.into_owned(),
    })
}

/// OpenRouter names what a model takes, Mistral whether it has vision.
fn takes_images(model: &Object<'_>) -> Option<bool> {
    let inner = |name| model.get(name).and_then(|text| Object::parse(text).ok());
    let modalities = inner("architecture").and_then(|inner| json::array(inner.get("input_modalities")?));
    let named = modalities.map(|kinds| {
        let mut kinds = kinds.into_iter().filter_map(json::string);
        kinds.any(|kind| kind == "image")
    });
    named.or_else(|| inner("capabilities").and_then(|inner| json::boolean(inner.get("vision")?)))
}

/// OpenRouter's form: dollars for one token, as strings. A price that varies is written as a negative number.
fn read_price(text: &str) -> Option<Price> {
    let pricing = Object::parse(text).ok()?;
    let dollars = |name| {
        let text = pricing.get(name)?;
        let number = json::string(text)
            .and_then(|text| text.parse::<f64>().ok())
            .or_else(|| json::number(text))?;
        (number.is_finite() && number >= 0.0).then_some(number * 1_000_000.0)
    };
    Some(Price {
        input: dollars("prompt")?,
        output: dollars("completion")?,
    })
}
