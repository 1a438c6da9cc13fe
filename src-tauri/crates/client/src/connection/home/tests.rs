use std::sync::{Arc, mpsc};

use patchbay_traffic::{ConnectionRef, Recorder, Store, StoreOptions};
use patchbay_transport::{About, Connector, Dialect, Failure, Link, NotStarted, Peer};

use crate::{ClientInfo, ConnectOptions, State, connect};

/// Makes no link, but tells on which thread it was asked to.
struct Asked {
    own_thread: bool,
    thread: mpsc::Sender<Option<String>>,
}

impl Connector for Asked {
    fn connect(&self, _: Dialect, _: Recorder, _: ConnectionRef) -> Result<Box<dyn Link>, Box<NotStarted>> {
        let name = std::thread::current().name().map(str::to_owned);
        self.thread.send(name).unwrap();
        let peer = Peer::Other { name: String::new() };
        Err(Box::new(NotStarted {
            about: About::new(peer),
            failure: Failure::new("Connect", "There is nothing.", "Give up."),
        }))
    }

    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::Legacy]
    }

    fn own_thread(&self) -> bool {
        self.own_thread
    }
}

/// The name of the thread that lives a connection with such a connector, to its end.
async fn thread_of(own_thread: bool) -> Option<String> {
    let (thread, name) = mpsc::channel();
    let (_store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let us = ClientInfo {
        name: "t".to_owned(),
        title: None,
        version: "1".to_owned(),
    };
    let connector = Arc::new(Asked { own_thread, thread });
    let connection = connect(ConnectOptions::new("s", "s", connector, us), recorder);
    assert_eq!(connection.settled().await.state, State::Failed);
    name.recv().unwrap()
}

#[tokio::test]
async fn only_a_connector_that_asks_for_a_thread_gets_one() {
    assert_eq!(thread_of(true).await.as_deref(), Some("connection"));
    assert_ne!(thread_of(false).await.as_deref(), Some("connection"));
}
