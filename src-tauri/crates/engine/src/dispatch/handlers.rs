//! Every feature's handlers under one name each: a command `tool_list` is carried out by the function `tool_list` of one of
//! these modules. A handler of a call takes `&Engine` and the parameters; one of a stream takes the `Engine`, the parameters and
//! where its events go.

pub(crate) use crate::{
    app::*, authorization::handlers::*, calls::handlers::*, calls::tasks::handlers::*,
    connections::doctor::handlers::*, connections::handlers::*, inputs::handlers::*, lists::handlers::*,
    servers::handlers::*, servers::vault::handlers::*, subscriptions::handlers::*,
    traffic_views::handlers::*,
};
