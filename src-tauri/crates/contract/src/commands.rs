//! The list of all commands. [`commands!`](crate::commands) passes it to everything that must cover it: the engine's
//! dispatcher (a missing handler does not compile) and the TypeScript export.

/// Calls `$with!` with the whole list: `calls { name(Params) -> Response; … } streams { name(Params) -> Event; … }`.
#[macro_export]
macro_rules! commands {
    ($with:ident) => {
        $with! {
            calls {
                /// Version, folders, the PATH in use and whether the demo server can be started.
                app_info(AppInfoParams) -> AppInfoResponse;
                /// The UI's stored state (selection, sizes, theme): opaque JSON text.
                ui_state_get(UiStateGetParams) -> UiStateGetResponse;
                /// Stores the UI's state across restarts.
                ui_state_set(UiStateSetParams) -> Done;
                /// Opens a link in the system browser, after a scheme check (http, https, mailto).
                link_open(LinkOpenParams) -> Done;
                /// The links (`patchbay://add?…`) that the program was started with, oldest first, each once. Nothing has been done with
                /// them: `server_parse` reads one, and the user reviews it.
                deep_link_take(DeepLinkTakeParams) -> DeepLinkTakeResponse;

                /// All configured servers, in the user's order, each with its connection's state.
                server_list(ServerListParams) -> ServerListResponse;
                /// Adds a server and returns its id.
                server_add(ServerAddParams) -> ServerAddResponse;
                /// Adds the built-in demo server, or returns the id of the existing one.
                server_add_demo(ServerAddDemoParams) -> ServerAddResponse;
                /// Adds a copy of a server, with separate copies of its secrets, and returns the copy's id.
                server_duplicate(ServerDuplicateParams) -> ServerAddResponse;
                /// Replaces the name and settings of a server. Takes effect at the next connect; roots and the trust in definitions
                /// take effect at once.
                server_update(ServerUpdateParams) -> Done;
                /// Disconnects and removes a server. Its records stay in the traffic store.
                server_remove(ServerRemoveParams) -> Done;
                /// Sets the order of the servers.
                server_reorder(ServerReorderParams) -> Done;
                /// Disables servers, which disconnects them, or enables them. Nothing connects a disabled server.
                server_disabled_set(ServerDisabledSetParams) -> Done;
                /// Sets the groups that a server is in.
                server_groups_set(ServerGroupsSetParams) -> Done;
                /// Adds a group, or renames one and sets its servers.
                group_save(GroupSaveParams) -> Done;
                /// Removes a group. Its servers stay.
                group_remove(GroupRemoveParams) -> Done;
                /// Sets the order of the groups.
                group_reorder(GroupReorderParams) -> Done;
                /// The limits of what a server may cost that its settings can change.
                limit_list(LimitListParams) -> LimitListResponse;
                /// Parses pasted text (a command line, an `mcpServers` JSON) into drafts; adds nothing.
                server_parse(ServerParseParams) -> ServerParseResponse;
                /// Opens the user's terminal where a server's program is started, with its folder and its variables, and runs it.
                terminal_open(TerminalOpenParams) -> TerminalOpenResponse;
                /// The command line that runs a server's program in a shell, without its secrets. Nothing is run.
                terminal_command(TerminalCommandParams) -> TerminalCommandResponse;
                /// What is run when a program is started under a debugger, and how an editor attaches. Nothing is run.
                debugger_preview(DebuggerPreviewParams) -> DebuggerPreviewResponse;
                /// Receives the next part of a bundle (`.mcpb`), which the user chose in a page that cannot tell its path.
                bundle_upload(BundleUploadParams) -> BundleUploadResponse;
                /// Reads and checks a bundle. Nothing is unpacked, run or added.
                bundle_open(BundleOpenParams) -> BundleReview;
                /// Unpacks a bundle that was reviewed into the data folder, and adds its server. On failure nothing is left.
                bundle_add(BundleAddParams) -> ServerAddResponse;
                /// Forgets a bundle that was received or reviewed.
                bundle_close(BundleCloseParams) -> Done;
                /// Reads a `server.json` of the MCP registry, from a text or from the one address that the user gave. Nothing is
                /// installed, run or added.
                registry_read(RegistryReadParams) -> RegistryReadResponse;
                /// Adds a server of a `server.json` that was read.
                registry_add(RegistryAddParams) -> ServerAddResponse;
                /// The servers of other hosts on this machine (Claude Desktop, Cursor, VS Code …), compared with the configured
                /// ones. Files are read; nothing is run, added or written.
                host_find(HostFindParams) -> HostFindResponse;
                /// What files are that the user dropped or named: configurations of hosts, compared with the configured servers,
                /// or others with servers. Nothing is run, added or written.
                file_identify(FileIdentifyParams) -> FileIdentifyResponse;
                /// One server as text for another host, with `${NAME}` in place of secrets.
                server_export(ServerExportParams) -> ServerExportResponse;
                /// Whether folders can be roots, and their URIs. Nothing is sent.
                folder_check(FolderCheckParams) -> FolderCheckResponse;
                /// What a server gets when it asks for roots, with the state of each folder. Nothing is sent but
                /// `notifications/roots/list_changed`, if a folder has another state than the server knows.
                roots_get(RootsGetParams) -> RootsGetResponse;
                /// Decides whether a server gets folders that the user did not choose for it. Takes effect at once.
                roots_decide(RootsDecideParams) -> Done;
                /// The shared sets of roots, by name.
                root_set_list(RootSetListParams) -> RootSetListResponse;
                /// Adds or replaces a shared set of roots. Takes effect at once for every server that uses it; a folder that is
                /// new to a server waits for the user's consent.
                root_set_save(RootSetSaveParams) -> RootSetSaveResponse;
                /// Removes a shared set of roots. `InvalidParams`, with the servers that use it, unless `despiteUse` is set.
                root_set_remove(RootSetRemoveParams) -> Done;

                /// Forgets which era `auto` found, so that the next connect probes again.
                server_era_forget(ServerEraForgetParams) -> Done;

                /// Starts connecting and returns at once; nudges report progress.
                connection_open(ConnectionOpenParams) -> Done;
                /// Closes the connection (a program: close stdin, wait, SIGTERM, SIGKILL; a legacy HTTP session: DELETE)
                /// and returns when the server has ended.
                connection_close(ConnectionCloseParams) -> Done;
                /// Closes the connection, then opens a new one.
                connection_restart(ConnectionRestartParams) -> Done;
                /// Ends what Patchbay does by itself to have a server connected, until it is connected again.
                automatic_stop(AutomaticStopParams) -> Done;
                /// Watches the files of a server whose settings say so, if that was stopped.
                file_watch_start(FileWatchStartParams) -> Done;
                /// Ends watching, and a build that runs, until the server is connected again.
                file_watch_stop(FileWatchStopParams) -> Done;
                /// Builds and restarts a server now: without waiting for quiet or for pending requests, and again after a failed
                /// build. `InvalidParams` if its files are not watched.
                file_watch_restart(FileWatchRestartParams) -> Done;
                /// What is watched for a server, and its last build with what it printed.
                file_watch_get(FileWatchGetParams) -> FileWatchGetResponse;
                /// Everything known about a server's current or last connection.
                connection_get(ConnectionGetParams) -> ConnectionGetResponse;
                /// Sends `ping` (legacy era only) and returns how long the server took.
                connection_ping(ConnectionPingParams) -> ConnectionPingResponse;
                /// Asks the server for log messages of this level and above: `logging/setLevel` in the legacy era, a
                /// member of every request in the modern one.
                log_level_set(LogLevelSetParams) -> Done;

                /// The token of a server, the client that it was issued to, and the authorization runs.
                authorization_get(AuthorizationGetParams) -> AuthorizationGetResponse;
                /// Starts a run at any step. A run in progress is cancelled. When it succeeds, a connection that failed
                /// without a token is reopened.
                authorization_start(AuthorizationStartParams) -> AuthorizationStartResponse;
                /// Answers the question of a run, or passes the address of the browser's last page. `NotFound` if no
                /// question is open (any more).
                authorization_answer(AuthorizationAnswerParams) -> Done;
                /// Cancels the run in progress; requests that wait for it fail.
                authorization_cancel(AuthorizationCancelParams) -> Done;
                /// Refreshes the token now, and returns when that is done.
                authorization_refresh(AuthorizationRefreshParams) -> Done;
                /// Treats the token as expired from now on; nothing is sent.
                authorization_expire(AuthorizationExpireParams) -> Done;
                /// Revokes the tokens if the authorization server supports that, then deletes them and the client.
                authorization_forget(AuthorizationForgetParams) -> Done;

                /// The settings of the environment that programs are started with. Does not wait for a shell.
                environment_get(EnvironmentGetParams) -> EnvironmentGetResponse;
                /// Sets them, for programs that are started from now on. Running servers keep what they were started with.
                environment_set(EnvironmentSetParams) -> Done;
                /// What programs are started with now. Waits for the shell, if one has to be run.
                environment_read(EnvironmentReadParams) -> EnvironmentReadResponse;
                /// The proxy of Patchbay.
                proxy_get(ProxyGetParams) -> ProxyGetResponse;
                /// Sets the proxy of Patchbay, for connections from now on. Its password goes into the vault; `VaultNeeded` if that is not
                /// open.
                proxy_set(ProxySetParams) -> Done;

                /// State of the vault. Does not open it.
                vault_get(VaultGetParams) -> VaultGetResponse;
                /// Applies the user's choice for the vault, and returns when that is done.
                vault_choose(VaultChooseParams) -> Done;
                /// Opens a vault with its passphrase.
                vault_unlock(VaultUnlockParams) -> Done;
                /// Secrets in plain text in `servers.json`.
                secret_find(SecretFindParams) -> SecretFindResponse;
                /// Moves the secrets of these servers from `servers.json` into the vault. `VaultNeeded` if it is not open.
                secret_move(SecretMoveParams) -> SecretMoveResponse;

                /// Input requests of all servers to the user, oldest first.
                input_list(InputListParams) -> InputListResponse;
                /// Answers one of them. `NotFound`, with the reason, if it was withdrawn meanwhile.
                input_answer(InputAnswerParams) -> Done;
                /// Takes a request from the simulator that holds it back: from now on it waits for the user.
                input_take_over(InputTakeOverParams) -> Done;
                /// How the requests of a server are answered automatically, to see how it copes.
                simulator_get(SimulatorGetParams) -> SimulatorGetResponse;
                /// Sets how the requests of a server are answered automatically, on and off. Takes effect at once, for requests
                /// that are held back too.
                simulator_set(SimulatorSetParams) -> Done;
                /// Whether a script can be used. Sends nothing.
                simulator_check(SimulatorCheckParams) -> SimulatorCheckResponse;

                /// The configured model providers.
                provider_list(ProviderListParams) -> ProviderListResponse;
                /// Adds or replaces a model provider; its key goes into the vault. `VaultNeeded` if that is not open.
                provider_save(ProviderSaveParams) -> ProviderSaveResponse;
                /// Removes a model provider and its key.
                provider_remove(ProviderRemoveParams) -> Done;
                /// Requests a provider's models.
                provider_models(ProviderModelsParams) -> ProviderModelsResponse;
                /// Requests a few tokens of a model, which may cost money.
                provider_test(ProviderTestParams) -> ProviderTestResponse;
                /// Looks for programs on this machine that offer models (Ollama, LM Studio, llama.cpp), at their usual ports.
                provider_find(ProviderFindParams) -> ProviderFindResponse;
                /// The model for a sampling request, by its hints and priorities. Sends nothing.
                sampling_choose(SamplingChooseParams) -> SamplingChooseResponse;
                /// The rules of a server for sampling.
                sampling_rules_get(SamplingRulesGetParams) -> SamplingRulesGetResponse;
                /// Sets the rules of a server for sampling.
                sampling_rules_set(SamplingRulesSetParams) -> Done;

                /// The conversations, the last changed first; with a search, those that contain its words.
                chat_list(ChatListParams) -> ChatListResponse;
                /// The item of a conversation that a record belongs to. Fails with `notFound` if there is none (any more).
                chat_locate(ChatLocateParams) -> ChatLocateResponse;
                /// Begins a conversation and returns its id.
                chat_create(ChatCreateParams) -> ChatCreateResponse;
                /// Names a conversation.
                chat_rename(ChatRenameParams) -> Done;
                /// Deletes a conversation and its file. A running turn is stopped.
                chat_remove(ChatRemoveParams) -> Done;
                /// Begins a conversation with a copy of another one, up to an item.
                chat_fork(ChatForkParams) -> ChatCreateResponse;
                /// A conversation as text, to save it. Secrets are masked.
                chat_export(ChatExportParams) -> ChatExportResponse;
                /// Replaces the settings of a conversation.
                chat_settings_set(ChatSettingsSetParams) -> Done;
                /// The tools of the chosen servers, each as the model gets it.
                chat_tools(ChatToolsParams) -> ChatToolsResponse;
                /// Reads a resource, requests a prompt or takes a file, to send it with the next message.
                chat_attach(ChatAttachParams) -> ChatAttachment;
                /// Sets whether an attached resource is read again when the message is sent, and its updates are subscribed to.
                chat_keep_current(ChatKeepCurrentParams) -> Done;
                /// Drops what was attached for the next message.
                chat_detach(ChatDetachParams) -> Done;
                /// Adds a message and starts a turn.
                chat_send(ChatSendParams) -> Done;
                /// Starts a turn without a new message: after a failure, a stop or a limit.
                chat_continue(ChatContinueParams) -> Done;
                /// Sends a message of the user with another text. What followed stays as another branch.
                chat_edit(ChatEditParams) -> Done;
                /// Asks for an answer, or a failed step, again. What followed stays as another branch; no call is repeated.
                chat_regenerate(ChatRegenerateParams) -> Done;
                /// Shows another version of a message or an answer.
                chat_branch(ChatBranchParams) -> Done;
                /// Stops the turn: the model, the calls that run and those that wait.
                chat_stop(ChatStopParams) -> Done;
                /// Answers in place of a model: text, calls of tools, or both.
                chat_write(ChatWriteParams) -> Done;
                /// Decides about calls that wait for the user.
                chat_decide(ChatDecideParams) -> Done;
                /// Lets the model have the secrets that are masked in an item, or not any more.
                chat_send_as_is(ChatSendAsIsParams) -> Done;
                /// The rules that run calls of all conversations without asking.
                chat_rules_get(ChatRulesGetParams) -> ChatRulesGetResponse;
                /// Removes one of these rules.
                chat_rule_remove(ChatRuleRemoveParams) -> Done;

                /// A page of the server's tools as last listed. `refresh` requests all pages again.
                tool_list(ListParams) -> ToolListResponse;
                /// A page of the server's resources as last listed; requested first if they never were.
                resource_list(ListParams) -> ResourceListResponse;
                /// A page of the server's resource templates as last listed; requested first if they never were.
                resource_template_list(ListParams) -> ResourceTemplateListResponse;
                /// A page of the server's prompts as last listed; requested first if they never were.
                prompt_list(ListParams) -> PromptListResponse;
                /// A page of the server's skills as last listed; requested first if they never were.
                skill_list(ListParams) -> SkillListResponse;
                /// The variables of a resource template, and the URI for some values. Sends nothing.
                resource_template_expand(ResourceTemplateExpandParams) -> ResourceTemplateExpandResponse;
                /// One row of a list in full: its definition exactly as received.
                list_item_get(ListItemGetParams) -> ListItemGetResponse;
                list_more(ListMoreParams) -> ListMoreResponse;
                list_cancel(ListCancelParams) -> Done;
                /// One tool's whole definition, exactly as received.
                tool_get(ToolGetParams) -> ToolGetResponse;
                /// The tools whose definitions differ from the remembered ones, as last listed. Sends nothing.
                tool_definitions_get(ToolDefinitionsGetParams) -> ToolDefinitionsGetResponse;
                /// How the definition of one tool differs from the remembered one, in words. Sends nothing.
                tool_definition_diff(ToolDefinitionDiffParams) -> ToolDefinitionDiffResponse;
                /// Remembers the listed definitions in place of the earlier ones: their tools can be called again.
                tool_definitions_accept(ToolDefinitionsAcceptParams) -> Done;
                /// What changed on a server since it was last connected, or since its changes were marked as seen. Sends nothing.
                server_changes_get(ServerChangesGetParams) -> ServerChangesGetResponse;
                /// How the definition of one listed item changed. Sends nothing.
                server_change_diff(ServerChangeDiffParams) -> ServerChangeDiffResponse;
                /// Compares later connections with what the server is now.
                server_changes_seen(ServerChangesSeenParams) -> Done;
                /// Requests values for an argument of a prompt or a variable of a resource template.
                completion_complete(CompletionCompleteParams) -> CompletionCompleteResponse;
                /// Makes the document of an app's frame from a `resources/read` that was recorded. Sends nothing.
                app_frame_open(AppFrameOpenParams) -> AppFrameOpenResponse;
                /// Forgets the document of an app's frame.
                app_frame_close(AppFrameCloseParams) -> Done;
                /// The server's tasks: requested from the server if it supports that (2025-11-25), otherwise those created
                /// here.
                task_list(ListParams) -> TaskListResponse;
                /// Requests the state of a task.
                task_get(TaskGetParams) -> TaskItem;
                /// Requests the server to cancel a task. The task may still end in another way.
                task_cancel(TaskCancelParams) -> Done;
                /// Sends a text as one message, exactly as written, and does not wait for an answer.
                message_send(MessageSendParams) -> MessageSendResponse;
                /// Cancels a running exchange: `notifications/cancelled` is sent, a late answer is still recorded.
                exchange_cancel(ExchangeCancelParams) -> Done;

                /// Rows `offset .. offset + limit` of the filtered log.
                traffic_rows(TrafficRowsParams) -> TrafficRowsResponse;
                /// Position of a record in the filtered log.
                traffic_locate(TrafficLocateParams) -> TrafficLocateResponse;
                /// One record in full: row, bodies, violations, its pair and relatives.
                traffic_record(TrafficRecordParams) -> TrafficRecordResponse;
                /// A recorded message in parts, to send it again. Values that were masked when it was recorded stay masked.
                traffic_message(TrafficMessageParams) -> TrafficMessageResponse;
                /// The size of the log, its limits, and how many of the oldest records were removed because of them.
                traffic_usage(TrafficUsageParams) -> TrafficUsageResponse;
                /// Sets the limits of the traffic log, from now on and in later runs.
                traffic_set_quota(TrafficSetQuotaParams) -> Done;
                /// Deletes the records of one server, or of all.
                traffic_clear(TrafficClearParams) -> Done;
            }
            streams {
                /// Nudges: something changed and should be pulled. The first event arrives at once.
                app_watch(AppWatchParams) -> AppEvent;
                /// Watches configurations of other hosts: an event for each that has other servers than before. Files are only read.
                host_watch(HostWatchParams) -> HostChange;
                /// Calls a tool. Ends after `finished`. Closing the stream does not cancel the call.
                tool_call(ToolCallParams) -> ExchangeEvent;
                /// Reads a resource. Ends after `finished`. Closing the stream does not cancel the request.
                resource_read(ResourceReadParams) -> ExchangeEvent;
                /// Gets a prompt with its arguments. Ends after `finished`. Closing the stream does not cancel the request.
                prompt_get(PromptGetParams) -> ExchangeEvent;
                /// Sends any request and returns the result as received. Ends after `finished`.
                request_send(RequestSendParams) -> ExchangeEvent;
                /// Waits for the end of a request whose stream was closed, for example by a reload of the page, and reports it as
                /// `finished`. Its earlier events are in the traffic log.
                exchange_follow(ExchangeFollowParams) -> ExchangeEvent;
                /// Waits for a task's result, polling as often as the server allows. `task` events carry its state; its
                /// input requests appear in `input_list`. Ends after `finished`. Closing the stream stops polling.
                task_result(TaskResultParams) -> ExchangeEvent;
                /// Sends a pending sampling request to a model and returns its answer, which is not sent to the server. Closing
                /// the stream stops the model.
                sampling_generate(SamplingGenerateParams) -> SamplingEvent;
                /// A conversation, live: its items, then what changes. Closing the stream does not stop the turn.
                chat_open(ChatOpenParams) -> ChatEvent;
                /// Listens for changes: `subscriptions/listen`, in the legacy era `resources/subscribe`. Ends after
                /// `ended`. Closing the stream ends the subscription.
                subscription_open(SubscriptionOpenParams) -> SubscriptionEvent;
                /// Diagnoses, step by step, why a server cannot be reached. Each step is reported when it starts and when
                /// it has ended. The connection attempt is recorded like any other.
                doctor_run(DoctorRunParams) -> DoctorStep;
                /// The filtered log, live: a snapshot, then deltas, at most one per 50 ms.
                traffic_tail(TrafficTailParams) -> TrafficDelta;
                /// Writes messages and stderr to a new file, one JSON object per line, as `--record` does. Ends after
                /// `finished`. Closing the stream cancels the export and deletes what was written.
                traffic_export(TrafficExportParams) -> TrafficExportEvent;
            }
        }
    };
}
