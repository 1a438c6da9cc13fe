//! Handlers of lists.

use patchbay_contract::*;

use crate::{engine::Engine, lists};

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

pub(crate) async fn list_item_get(
    engine: &Engine,
    params: ListItemGetParams,
) -> Result<ListItemGetResponse, CommandError> {
    lists::item_get(engine, &params)
}

pub(crate) async fn tool_get(
    engine: &Engine,
    params: ToolGetParams,
) -> Result<ToolGetResponse, CommandError> {
    lists::tool_get(engine, &params)
}
