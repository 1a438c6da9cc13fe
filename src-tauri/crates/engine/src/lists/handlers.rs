//! Handlers of lists.

use patchbay_contract::*;

use patchbay_protocol::template;

use super::cache;
use crate::{dispatch::error::fail, lists, state::Engine};

pub(crate) async fn tool_list(engine: &Engine, params: ListParams) -> Result<ToolListResponse, CommandError> {
    Ok(lists::page::<lists::Tools>(engine, params).await?.into())
}

pub(crate) async fn resource_list(
    engine: &Engine,
    params: ListParams,
) -> Result<ResourceListResponse, CommandError> {
    Ok(lists::page::<lists::Resources>(engine, params).await?.into())
}

pub(crate) async fn resource_template_list(
    engine: &Engine,
    params: ListParams,
) -> Result<ResourceTemplateListResponse, CommandError> {
    Ok(lists::page::<lists::ResourceTemplates>(engine, params)
        .await?
        .into())
}

pub(crate) async fn prompt_list(
    engine: &Engine,
    params: ListParams,
) -> Result<PromptListResponse, CommandError> {
    Ok(lists::page::<lists::Prompts>(engine, params).await?.into())
}

pub(crate) async fn skill_list(
    engine: &Engine,
    params: ListParams,
) -> Result<SkillListResponse, CommandError> {
    Ok(lists::page::<lists::Skills>(engine, params).await?.into())
}

pub(crate) async fn resource_template_expand(
    _: &Engine,
    params: ResourceTemplateExpandParams,
) -> Result<ResourceTemplateExpandResponse, CommandError> {
    let invalid = |error: template::TemplateError| fail(ErrorCode::InvalidParams, error.to_string());
    let value = |TemplateValue { name, value }| match value {
        TemplateValueKind::Text { text } => (name, template::Value::Text(text)),
        TemplateValueKind::List { items } => (name, template::Value::List(items)),
        TemplateValueKind::Pairs { pairs } => {
            let pairs = pairs.into_iter().map(|NamedText { name, value }| (name, value));
            (name, template::Value::Pairs(pairs.collect()))
        }
    };
    let values = params.values.into_iter().map(value).collect();
    Ok(ResourceTemplateExpandResponse {
        variables: template::variables(&params.uri_template).map_err(invalid)?,
        uri: template::expand(&params.uri_template, &values).map_err(invalid)?,
    })
}

pub(crate) async fn list_item_get(
    engine: &Engine,
    params: ListItemGetParams,
) -> Result<ListItemGetResponse, CommandError> {
    let (id, index) = (&params.server_id, params.index);
    match params.list {
        ListKind::Tools => cache::item::<lists::Tools>(engine, id, index),
        ListKind::Resources => cache::item::<lists::Resources>(engine, id, index),
        ListKind::ResourceTemplates => cache::item::<lists::ResourceTemplates>(engine, id, index),
        ListKind::Prompts => cache::item::<lists::Prompts>(engine, id, index),
        ListKind::Skills => cache::item::<lists::Skills>(engine, id, index),
        ListKind::Tasks => cache::item::<lists::Tasks>(engine, id, index),
    }
}

pub(crate) async fn list_more(
    engine: &Engine,
    params: ListMoreParams,
) -> Result<ListMoreResponse, CommandError> {
    match params.list {
        ListKind::Tools => cache::more::<lists::Tools>(engine, &params).await,
        ListKind::Resources => cache::more::<lists::Resources>(engine, &params).await,
        ListKind::ResourceTemplates => cache::more::<lists::ResourceTemplates>(engine, &params).await,
        ListKind::Prompts => cache::more::<lists::Prompts>(engine, &params).await,
        ListKind::Skills => cache::more::<lists::Skills>(engine, &params).await,
        ListKind::Tasks => cache::more::<lists::Tasks>(engine, &params).await,
    }
}

pub(crate) async fn list_cancel(engine: &Engine, params: ListCancelParams) -> Result<Done, CommandError> {
    let id = &params.server_id;
    match params.list {
        ListKind::Tools => cache::stop::<lists::Tools>(engine, id),
        ListKind::Resources => cache::stop::<lists::Resources>(engine, id),
        ListKind::ResourceTemplates => cache::stop::<lists::ResourceTemplates>(engine, id),
        ListKind::Prompts => cache::stop::<lists::Prompts>(engine, id),
        ListKind::Skills => cache::stop::<lists::Skills>(engine, id),
        ListKind::Tasks => cache::stop::<lists::Tasks>(engine, id),
    }
    Ok(Done {})
}
