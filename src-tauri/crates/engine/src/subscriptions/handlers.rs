//! Handlers of subscriptions.

use patchbay_contract::*;

use crate::{dispatch::streams::Events, state::Engine, subscriptions};

pub(crate) async fn subscription_open(
    engine: Engine,
    params: SubscriptionOpenParams,
    events: Events<SubscriptionEvent>,
) -> Result<(), CommandError> {
    subscriptions::open(engine, params, events).await
}
