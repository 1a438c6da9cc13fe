//! Every command of the contract, handed to the module that carries it out.

use patchbay_contract::*;

use crate::{dispatch::Commands, engine::Engine, error::fail, streams::Events};

impl Commands for Engine {
    async fn app_info(&self, _params: AppInfoParams) -> Result<AppInfoResponse, CommandError> {
        Err(fail(ErrorCode::Internal, "`app_info` is not built yet."))
    }

    async fn ui_state_get(&self, _params: UiStateGetParams) -> Result<UiStateGetResponse, CommandError> {
        Err(fail(ErrorCode::Internal, "`ui_state_get` is not built yet."))
    }

    async fn ui_state_set(&self, _params: UiStateSetParams) -> Result<Done, CommandError> {
        Err(fail(ErrorCode::Internal, "`ui_state_set` is not built yet."))
    }

    async fn link_open(&self, _params: LinkOpenParams) -> Result<Done, CommandError> {
        Err(fail(ErrorCode::Internal, "`link_open` is not built yet."))
    }

    async fn server_list(&self, _params: ServerListParams) -> Result<ServerListResponse, CommandError> {
        Err(fail(ErrorCode::Internal, "`server_list` is not built yet."))
    }

    async fn server_add(&self, _params: ServerAddParams) -> Result<ServerAddResponse, CommandError> {
        Err(fail(ErrorCode::Internal, "`server_add` is not built yet."))
    }

    async fn server_add_demo(&self, _params: ServerAddDemoParams) -> Result<ServerAddResponse, CommandError> {
        Err(fail(ErrorCode::Internal, "`server_add_demo` is not built yet."))
    }

    async fn server_update(&self, _params: ServerUpdateParams) -> Result<Done, CommandError> {
        Err(fail(ErrorCode::Internal, "`server_update` is not built yet."))
    }

    async fn server_remove(&self, _params: ServerRemoveParams) -> Result<Done, CommandError> {
        Err(fail(ErrorCode::Internal, "`server_remove` is not built yet."))
    }

    async fn server_reorder(&self, _params: ServerReorderParams) -> Result<Done, CommandError> {
        Err(fail(ErrorCode::Internal, "`server_reorder` is not built yet."))
    }

    async fn server_parse(&self, _params: ServerParseParams) -> Result<ServerParseResponse, CommandError> {
        Err(fail(ErrorCode::Internal, "`server_parse` is not built yet."))
    }

    async fn server_export(&self, _params: ServerExportParams) -> Result<ServerExportResponse, CommandError> {
        Err(fail(ErrorCode::Internal, "`server_export` is not built yet."))
    }

    async fn connection_open(&self, _params: ConnectionOpenParams) -> Result<Done, CommandError> {
        Err(fail(ErrorCode::Internal, "`connection_open` is not built yet."))
    }

    async fn connection_close(&self, _params: ConnectionCloseParams) -> Result<Done, CommandError> {
        Err(fail(ErrorCode::Internal, "`connection_close` is not built yet."))
    }

    async fn connection_restart(&self, _params: ConnectionRestartParams) -> Result<Done, CommandError> {
        Err(fail(
            ErrorCode::Internal,
            "`connection_restart` is not built yet.",
        ))
    }

    async fn connection_get(
        &self,
        _params: ConnectionGetParams,
    ) -> Result<ConnectionGetResponse, CommandError> {
        Err(fail(ErrorCode::Internal, "`connection_get` is not built yet."))
    }

    async fn connection_ping(
        &self,
        _params: ConnectionPingParams,
    ) -> Result<ConnectionPingResponse, CommandError> {
        Err(fail(ErrorCode::Internal, "`connection_ping` is not built yet."))
    }

    async fn tool_list(&self, _params: ToolListParams) -> Result<ToolListResponse, CommandError> {
        Err(fail(ErrorCode::Internal, "`tool_list` is not built yet."))
    }

    async fn tool_get(&self, _params: ToolGetParams) -> Result<ToolGetResponse, CommandError> {
        Err(fail(ErrorCode::Internal, "`tool_get` is not built yet."))
    }

    async fn exchange_cancel(&self, _params: ExchangeCancelParams) -> Result<Done, CommandError> {
        Err(fail(ErrorCode::Internal, "`exchange_cancel` is not built yet."))
    }

    async fn traffic_rows(&self, _params: TrafficRowsParams) -> Result<TrafficRowsResponse, CommandError> {
        Err(fail(ErrorCode::Internal, "`traffic_rows` is not built yet."))
    }

    async fn traffic_locate(
        &self,
        _params: TrafficLocateParams,
    ) -> Result<TrafficLocateResponse, CommandError> {
        Err(fail(ErrorCode::Internal, "`traffic_locate` is not built yet."))
    }

    async fn traffic_record(
        &self,
        _params: TrafficRecordParams,
    ) -> Result<TrafficRecordResponse, CommandError> {
        Err(fail(ErrorCode::Internal, "`traffic_record` is not built yet."))
    }

    async fn traffic_clear(&self, _params: TrafficClearParams) -> Result<Done, CommandError> {
        Err(fail(ErrorCode::Internal, "`traffic_clear` is not built yet."))
    }

    fn app_watch(
        &self,
        _params: AppWatchParams,
        _events: Events<AppEvent>,
    ) -> impl Future<Output = Result<(), CommandError>> + Send + 'static {
        std::future::ready(Err(fail(ErrorCode::Internal, "`app_watch` is not built yet.")))
    }

    fn tool_call(
        &self,
        _params: ToolCallParams,
        _events: Events<ExchangeEvent>,
    ) -> impl Future<Output = Result<(), CommandError>> + Send + 'static {
        std::future::ready(Err(fail(ErrorCode::Internal, "`tool_call` is not built yet.")))
    }

    fn request_send(
        &self,
        _params: RequestSendParams,
        _events: Events<ExchangeEvent>,
    ) -> impl Future<Output = Result<(), CommandError>> + Send + 'static {
        std::future::ready(Err(fail(ErrorCode::Internal, "`request_send` is not built yet.")))
    }

    fn traffic_tail(
        &self,
        _params: TrafficTailParams,
        _events: Events<TrafficDelta>,
    ) -> impl Future<Output = Result<(), CommandError>> + Send + 'static {
        std::future::ready(Err(fail(ErrorCode::Internal, "`traffic_tail` is not built yet.")))
    }
}
