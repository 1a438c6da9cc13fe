//! Every command of the contract, handed to the module that carries it out.

use std::time::Instant;

use patchbay_contract::*;
use patchbay_protocol::methods;

use crate::{
    authorization,
    calls::{self, Ask},
    completion, connections, convert,
    dispatch::Commands,
    doctor,
    engine::Engine,
    error::fail,
    links, lists, stored,
    streams::Events,
    subscriptions, tasks, traffic_views, vault,
};

impl Commands for Engine {
    async fn app_info(&self, _: AppInfoParams) -> Result<AppInfoResponse, CommandError> {
        Ok(self.inner.app_info().await)
    }

    async fn ui_state_get(&self, _: UiStateGetParams) -> Result<UiStateGetResponse, CommandError> {
        Ok(UiStateGetResponse {
            state_json: self.inner.ui_state.get().await,
        })
    }

    async fn ui_state_set(&self, params: UiStateSetParams) -> Result<Done, CommandError> {
        self.inner.ui_state.set(params.state_json).await?;
        Ok(Done {})
    }

    async fn link_open(&self, params: LinkOpenParams) -> Result<Done, CommandError> {
        links::open(params.url).await?;
        Ok(Done {})
    }

    async fn server_list(&self, _: ServerListParams) -> Result<ServerListResponse, CommandError> {
        let servers = self.inner.servers.all();
        Ok(ServerListResponse {
            items: servers
                .into_iter()
                .map(|server| self.inner.server_item(server))
                .collect(),
        })
    }

    async fn server_add(&self, params: ServerAddParams) -> Result<ServerAddResponse, CommandError> {
        let server_id = stored::add(self, params.draft, params.plain_secrets).await?;
        Ok(ServerAddResponse { server_id })
    }

    async fn server_add_demo(&self, _: ServerAddDemoParams) -> Result<ServerAddResponse, CommandError> {
        if !self.inner.demo_available() {
            return Err(fail(
                ErrorCode::NotFound,
                "This program cannot act as the demo server.",
            ));
        }
        let server_id = self.change_servers(|servers| servers.add_demo()).await?;
        Ok(ServerAddResponse { server_id })
    }

    async fn server_duplicate(
        &self,
        params: ServerDuplicateParams,
    ) -> Result<ServerAddResponse, CommandError> {
        let server_id = stored::duplicate(self, &params.server_id, params.name).await?;
        Ok(ServerAddResponse { server_id })
    }

    async fn server_update(&self, params: ServerUpdateParams) -> Result<Done, CommandError> {
        stored::update(self, params).await?;
        Ok(Done {})
    }

    async fn server_remove(&self, params: ServerRemoveParams) -> Result<Done, CommandError> {
        let id = params.server_id.clone();
        let server = self.inner.servers.get(&id)?;
        self.change_servers(move |servers| servers.remove(&id)).await?;
        self.inner
            .eras
            .set(&server.id, &server.draft.transport, None)
            .await;
        self.forget_connection(&params.server_id).await;
        self.inner.authorizations.removed(&params.server_id);
        stored::forget(&self.inner, &params.server_id).await;
        Ok(Done {})
    }

    async fn server_reorder(&self, params: ServerReorderParams) -> Result<Done, CommandError> {
        self.change_servers(move |servers| servers.reorder(&params.server_ids))
            .await?;
        Ok(Done {})
    }

    async fn server_parse(&self, params: ServerParseParams) -> Result<ServerParseResponse, CommandError> {
        let names: Vec<String> = self
            .inner
            .servers
            .all()
            .into_iter()
            .map(|server| server.draft.name)
            .collect();
        Ok(patchbay_config::parse(&params.text, |name| {
            names.iter().any(|taken| taken == name)
        }))
    }

    async fn server_export(&self, params: ServerExportParams) -> Result<ServerExportResponse, CommandError> {
        Ok(ServerExportResponse {
            json: self.inner.servers.export(&params.server_id)?,
        })
    }

    async fn server_era_forget(&self, params: ServerEraForgetParams) -> Result<Done, CommandError> {
        let server = self.inner.servers.get(&params.server_id)?;
        let eras = &self.inner.eras;
        if eras.set(&server.id, &server.draft.transport, None).await {
            self.inner.nudges.connection_changed(&server.id);
        }
        Ok(Done {})
    }

    async fn connection_open(&self, params: ConnectionOpenParams) -> Result<Done, CommandError> {
        self.open_connection(&params.server_id).await?;
        Ok(Done {})
    }

    async fn connection_close(&self, params: ConnectionCloseParams) -> Result<Done, CommandError> {
        self.close_connection(&params.server_id).await?;
        Ok(Done {})
    }

    async fn connection_restart(&self, params: ConnectionRestartParams) -> Result<Done, CommandError> {
        self.restart_connection(&params.server_id).await?;
        Ok(Done {})
    }

    async fn connection_get(
        &self,
        params: ConnectionGetParams,
    ) -> Result<ConnectionGetResponse, CommandError> {
        self.inner.servers.get(&params.server_id)?;
        let live = self.inner.live(&params.server_id);
        Ok(connections::details(live.as_ref(), |text| {
            self.inner.masked(text)
        }))
    }

    async fn connection_ping(
        &self,
        params: ConnectionPingParams,
    ) -> Result<ConnectionPingResponse, CommandError> {
        let (live, connection) = self.inner.ready(&params.server_id)?;
        if live.era() == patchbay_protocol::Era::Modern {
            return Err(fail(
                ErrorCode::InvalidParams,
                "The 2026-07-28 revision has no `ping`; send another request.",
            ));
        }
        let begun = Instant::now();
        let failed = "The server did not answer the ping";
        let operation = self.inner.begin("connection_ping", methods::PING);
        calls::ask(&self.inner, &connection, operation, methods::PING, None, failed).await?;
        Ok(ConnectionPingResponse {
            duration_ms: convert::ms(begun.elapsed()),
        })
    }

    async fn log_level_set(&self, params: LogLevelSetParams) -> Result<Done, CommandError> {
        let (live, connection) = self.inner.ready(&params.server_id)?;
        if params.level.is_none() && live.era() == patchbay_protocol::Era::Legacy {
            return Err(fail(
                ErrorCode::InvalidParams,
                "Before 2026-07-28 a server cannot be asked for no log messages. Choose `emergency`.",
            ));
        }
        let asked = connection
            .set_log_level(params.level.map(convert::inner_log_level))
            .await;
        if let Some(exchange) = asked {
            let finished = exchange.finished().await;
            calls::checked(&self.inner, finished, "The log level could not be set")?;
        }
        Ok(Done {})
    }

    async fn authorization_get(
        &self,
        params: AuthorizationGetParams,
    ) -> Result<AuthorizationGetResponse, CommandError> {
        authorization::get(self, &params).await
    }

    async fn authorization_start(
        &self,
        params: AuthorizationStartParams,
    ) -> Result<AuthorizationStartResponse, CommandError> {
        authorization::start(self, params).await
    }

    async fn authorization_answer(&self, params: AuthorizationAnswerParams) -> Result<Done, CommandError> {
        authorization::answer(self, params).await
    }

    async fn authorization_cancel(&self, params: AuthorizationCancelParams) -> Result<Done, CommandError> {
        authorization::cancel(self, &params.server_id).await
    }

    async fn authorization_refresh(&self, params: AuthorizationRefreshParams) -> Result<Done, CommandError> {
        authorization::refresh(self, &params.server_id).await
    }

    async fn authorization_expire(&self, params: AuthorizationExpireParams) -> Result<Done, CommandError> {
        authorization::expire(self, &params.server_id).await
    }

    async fn authorization_forget(&self, params: AuthorizationForgetParams) -> Result<Done, CommandError> {
        authorization::forget(self, &params.server_id).await
    }

    async fn vault_get(&self, _: VaultGetParams) -> Result<VaultGetResponse, CommandError> {
        vault::get(self).await
    }

    async fn vault_choose(&self, params: VaultChooseParams) -> Result<Done, CommandError> {
        vault::choose(self, params.choice).await
    }

    async fn vault_unlock(&self, params: VaultUnlockParams) -> Result<Done, CommandError> {
        vault::unlock(self, params.passphrase).await
    }

    async fn secret_find(&self, _: SecretFindParams) -> Result<SecretFindResponse, CommandError> {
        Ok(stored::find(self))
    }

    async fn secret_move(&self, params: SecretMoveParams) -> Result<SecretMoveResponse, CommandError> {
        stored::move_all(self, params.server_ids).await
    }

    async fn input_list(&self, _: InputListParams) -> Result<InputListResponse, CommandError> {
        Ok(self.inner.inputs.list())
    }

    async fn input_answer(&self, params: InputAnswerParams) -> Result<Done, CommandError> {
        self.inner.inputs.answer(params)?;
        Ok(Done {})
    }

    async fn completion_complete(
        &self,
        params: CompletionCompleteParams,
    ) -> Result<CompletionCompleteResponse, CommandError> {
        completion::complete(self, params).await
    }

    async fn task_list(&self, params: TaskListParams) -> Result<TaskListResponse, CommandError> {
        tasks::list(self, params).await
    }

    async fn task_get(&self, params: TaskGetParams) -> Result<TaskItem, CommandError> {
        tasks::get(self, params).await
    }

    async fn task_cancel(&self, params: TaskCancelParams) -> Result<Done, CommandError> {
        tasks::cancel(self, params).await
    }

    async fn tool_list(&self, params: ListParams) -> Result<ToolListResponse, CommandError> {
        Ok(lists::page::<lists::Tools>(self, params).await?.into())
    }

    async fn resource_list(&self, params: ListParams) -> Result<ResourceListResponse, CommandError> {
        Ok(lists::page::<lists::Resources>(self, params).await?.into())
    }

    async fn resource_template_list(
        &self,
        params: ListParams,
    ) -> Result<ResourceTemplateListResponse, CommandError> {
        Ok(lists::page::<lists::ResourceTemplates>(self, params)
            .await?
            .into())
    }

    async fn prompt_list(&self, params: ListParams) -> Result<PromptListResponse, CommandError> {
        Ok(lists::page::<lists::Prompts>(self, params).await?.into())
    }

    async fn list_item_get(&self, params: ListItemGetParams) -> Result<ListItemGetResponse, CommandError> {
        lists::item_get(self, &params)
    }

    async fn tool_get(&self, params: ToolGetParams) -> Result<ToolGetResponse, CommandError> {
        lists::tool_get(self, &params)
    }

    async fn exchange_cancel(&self, params: ExchangeCancelParams) -> Result<Done, CommandError> {
        self.inner.exchanges.cancel(&params.exchange_id).await?;
        Ok(Done {})
    }

    async fn traffic_rows(&self, params: TrafficRowsParams) -> Result<TrafficRowsResponse, CommandError> {
        traffic_views::rows(&self.inner.store, params).await
    }

    async fn traffic_locate(
        &self,
        params: TrafficLocateParams,
    ) -> Result<TrafficLocateResponse, CommandError> {
        traffic_views::locate(&self.inner.store, params).await
    }

    async fn traffic_record(
        &self,
        params: TrafficRecordParams,
    ) -> Result<TrafficRecordResponse, CommandError> {
        traffic_views::record(&self.inner.store, params).await
    }

    async fn traffic_usage(&self, _: TrafficUsageParams) -> Result<TrafficUsageResponse, CommandError> {
        traffic_views::usage(&self.inner.store).await
    }

    async fn traffic_clear(&self, params: TrafficClearParams) -> Result<Done, CommandError> {
        traffic_views::clear(&self.inner.store, params).await
    }

    fn app_watch(
        &self,
        _: AppWatchParams,
        events: Events<AppEvent>,
    ) -> impl Future<Output = Result<(), CommandError>> + Send + 'static {
        let nudges = self.inner.nudges.clone();
        async move { nudges.tell(events).await }
    }

    fn tool_call(
        &self,
        params: ToolCallParams,
        events: Events<ExchangeEvent>,
    ) -> impl Future<Output = Result<(), CommandError>> + Send + 'static {
        exchange(self, Ask::Tool(params), events)
    }

    fn resource_read(
        &self,
        params: ResourceReadParams,
        events: Events<ExchangeEvent>,
    ) -> impl Future<Output = Result<(), CommandError>> + Send + 'static {
        exchange(self, Ask::Resource(params), events)
    }

    fn prompt_get(
        &self,
        params: PromptGetParams,
        events: Events<ExchangeEvent>,
    ) -> impl Future<Output = Result<(), CommandError>> + Send + 'static {
        exchange(self, Ask::Prompt(params), events)
    }

    fn request_send(
        &self,
        params: RequestSendParams,
        events: Events<ExchangeEvent>,
    ) -> impl Future<Output = Result<(), CommandError>> + Send + 'static {
        exchange(self, Ask::Request(params), events)
    }

    fn task_result(
        &self,
        params: TaskResultParams,
        events: Events<ExchangeEvent>,
    ) -> impl Future<Output = Result<(), CommandError>> + Send + 'static {
        exchange(self, Ask::TaskResult(params), events)
    }

    fn subscription_open(
        &self,
        params: SubscriptionOpenParams,
        events: Events<SubscriptionEvent>,
    ) -> impl Future<Output = Result<(), CommandError>> + Send + 'static {
        subscriptions::open(self.clone(), params, events)
    }

    fn doctor_run(
        &self,
        params: DoctorRunParams,
        events: Events<DoctorStep>,
    ) -> impl Future<Output = Result<(), CommandError>> + Send + 'static {
        doctor::run(self.clone(), params, events)
    }

    fn traffic_tail(
        &self,
        params: TrafficTailParams,
        events: Events<TrafficDelta>,
    ) -> impl Future<Output = Result<(), CommandError>> + Send + 'static {
        traffic_views::tail(self.inner.store.clone(), params, events)
    }
}

/// Runs an exchange whose end is its last event.
fn exchange(
    engine: &Engine,
    ask: Ask,
    events: Events<ExchangeEvent>,
) -> impl Future<Output = Result<(), CommandError>> + Send + 'static {
    let engine = engine.clone();
    async move { calls::run(engine, ask, events).await.map(drop) }
}
