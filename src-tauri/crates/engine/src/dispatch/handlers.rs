//! The handlers of every feature. The command `tool_list` is run by the function `tool_list` of one of these modules, or by
//! an operation of a feature that has the name of the command here. The handler of a call takes `&Engine` and the
//! parameters; that of a stream takes the `Engine`, the parameters and an event sender.

pub(crate) use crate::{
    authorization::handlers::*, calls::handlers::*, chat::handlers::*, connections::environment::handlers::*,
    connections::handlers::*, connections::proxy::handlers::*, dispatch::app::*, inputs::handlers::*,
    inputs::models::handlers::*, inputs::sampling::handlers::*, inputs::simulator::handlers::*,
    lists::definitions::handlers::*, lists::handlers::*, servers::automatic::handlers::*,
    servers::bundles::handlers::*, servers::changes::handlers::*, servers::file_watch::handlers::*,
    servers::groups::*, servers::handlers::*, servers::host_watch::host_watch,
    servers::registry::handlers::*, servers::roots::handlers::*, servers::terminal::handlers::*,
    servers::vault::handlers::*, traffic_views::handlers::*,
};

// Operations that take what a command has: a function that only calls them would say nothing.
pub(crate) use crate::{
    authorization::{answer as authorization_answer, get as authorization_get, start as authorization_start},
    calls::{
        app_frames::open as app_frame_open,
        completion::complete as completion_complete,
        send_message as message_send,
        tasks::{cancel as task_cancel, get as task_get, list as task_list},
    },
    connections::doctor::run as doctor_run,
    inputs::sampling::generate::run as sampling_generate,
    lists::tool_get,
    subscriptions::open as subscription_open,
};
