//! Providers and models as the contract shows them.

use patchbay_contract::{ModelFailure, ModelItem, ModelPrice, ProviderApi, ProviderItem};
use patchbay_llm::{Api, Failure, Model};

use super::file::SavedProvider;
use crate::convert;

pub(super) fn item(saved: &SavedProvider, listed: Option<&Vec<Model>>) -> ProviderItem {
    ProviderItem {
        id: saved.id.clone(),
        name: saved.name.clone(),
        api: saved.api,
        base_url: saved.base_url.clone(),
        has_key: saved.has_key,
        default_model: saved.default_model.clone(),
        models: listed.map(|models| models.iter().map(model).collect()),
    }
}

pub(super) fn model(model: &Model) -> ModelItem {
    ModelItem {
        id: model.id.clone(),
        name: model.name.clone(),
        context: model.context.map(convert::count),
        price: model.price.map(|price| ModelPrice {
            input: price.input,
            output: price.output,
        }),
        images: model.images,
    }
}

/// A model of which only the id is known.
pub(super) fn unlisted(id: &str) -> Model {
    Model {
        id: id.to_owned(),
        name: None,
        context: None,
        price: None,
        images: None,
    }
}

pub(super) fn api(api: ProviderApi) -> Api {
    match api {
        ProviderApi::Anthropic => Api::Anthropic,
        ProviderApi::ChatCompletions => Api::ChatCompletions,
    }
}

/// Why a provider did not answer.
pub(crate) fn failure(failure: Failure) -> ModelFailure {
    ModelFailure {
        cause: failure.cause,
        next: failure.next,
        retry_after_ms: failure.retry_after.map(|wait| wait.as_secs_f64() * 1000.0),
    }
}
