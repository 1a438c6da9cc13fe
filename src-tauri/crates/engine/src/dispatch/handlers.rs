//! The handlers of every feature. The command `tool_list` is run by the function `tool_list` of one of these modules. The
//! handler of a call takes `&Engine` and the parameters; that of a stream takes the `Engine`, the parameters and an event
//! sender.

pub(crate) use crate::{
    authorization::handlers::*, calls::handlers::*, calls::tasks::handlers::*, chat::handlers::*,
    connections::doctor::handlers::*, connections::environment::handlers::*, connections::handlers::*,
    connections::proxy::handlers::*, dispatch::app::*, inputs::handlers::*, inputs::models::handlers::*,
    inputs::sampling::handlers::*, inputs::simulator::handlers::*, lists::definitions::handlers::*,
    lists::handlers::*, servers::automatic::handlers::*, servers::bundles::handlers::*,
    servers::changes::handlers::*, servers::file_watch::handlers::*, servers::groups::*,
    servers::handlers::*, servers::host_watch::host_watch, servers::registry::handlers::*,
    servers::roots::handlers::*, servers::terminal::handlers::*, servers::vault::handlers::*,
    subscriptions::handlers::*, traffic_views::handlers::*,
};
