//! Handlers of the proxy.

use patchbay_contract::{CommandError, Done, ProxyGetParams, ProxyGetResponse, ProxySetParams};

use crate::state::Engine;

pub(crate) async fn proxy_get(engine: &Engine, _: ProxyGetParams) -> Result<ProxyGetResponse, CommandError> {
    engine.state.proxy.get()
}

pub(crate) async fn proxy_set(engine: &Engine, params: ProxySetParams) -> Result<Done, CommandError> {
    engine.state.proxy.set(params).await?;
    Ok(Done {})
}
