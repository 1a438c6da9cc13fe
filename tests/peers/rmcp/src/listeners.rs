//! The subscribers of the server (`subscriptions/listen`), and their notifications.

use rmcp::model::ErrorData;
use rmcp::service::SubscriptionContext;
use tokio::sync::watch;

/// All subscribers; shared by the clones of a server, of which there is one per HTTP request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Listeners {
    told: watch::Sender<Told>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Told {
    /// The number of subscribers.
    listeners: usize,
    /// The number of changes of the list of tools.
    changes: u64,
    /// The number of times that all subscriptions were ended.
    ends: u64,
}

impl Listeners {
    /// Notifies of a changed list of tools; waits for a subscriber.
    pub(crate) async fn change(&self) {
        self.somebody().await;
        self.told.send_modify(|told| told.changes += 1);
    }

    /// Ends all subscriptions; waits for a subscriber.
    pub(crate) async fn end(&self) {
        self.somebody().await;
        self.told.send_modify(|told| told.ends += 1);
    }

    /// The sender lives as long as this value.
    async fn somebody(&self) {
        let _ = self.told.subscribe().wait_for(|told| told.listeners > 0).await;
    }

    /// Serves one subscriber until the client or the server ends it.
    pub(crate) async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut news = self.told.subscribe();
        let mut before = *news.borrow_and_update();
        let _here = Here::enter(&self.told);
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                changed = news.changed() => {
                    if changed.is_err() {
                        return Ok(());
                    }
                }
            }
            let now = *news.borrow_and_update();
            if now.changes != before.changes {
                let told = context.sink().notify_tool_list_changed().await;
                told.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
            }
            if now.ends != before.ends {
                return Ok(());
            }
            before = now;
        }
    }
}

/// Counts one subscriber while it exists.
struct Here<'a>(&'a watch::Sender<Told>);

impl<'a> Here<'a> {
    fn enter(told: &'a watch::Sender<Told>) -> Self {
        told.send_modify(|told| told.listeners += 1);
        Self(told)
    }
}

impl Drop for Here<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|told| told.listeners -= 1);
    }
}
