use std::{
    sync::{Arc, mpsc},
    time::Duration,
};

use patchbay_traffic::{ConnectionRef, Recorder, Store, StoreOptions};
use patchbay_transport::{About, Connector, Dialect, Failure, Link, NotStarted, Peer};

use super::super::Command;
use crate::{ClientInfo, ConnectOptions, Connection, Exchange, Outcome, Request, State, connect, told};

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

/// A connection with such a connector, which fails at once, and the name of the thread that lives it.
fn failing(own_thread: bool) -> (Connection, mpsc::Receiver<Option<String>>) {
    let (thread, name) = mpsc::channel();
    let (_store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let us = ClientInfo {
        name: "t".to_owned(),
        title: None,
        version: "1".to_owned(),
    };
    let connector = Arc::new(Asked { own_thread, thread });
    let connection = connect(ConnectOptions::new("s", "s", connector, us), recorder);
    (connection, name)
}

async fn thread_of(own_thread: bool) -> Option<String> {
    let (connection, name) = failing(own_thread);
    assert_eq!(connection.settled().await.state, State::Failed);
    name.recv().unwrap()
}

#[tokio::test]
async fn only_a_connector_that_asks_for_a_thread_gets_one() {
    assert_eq!(thread_of(true).await.as_deref(), Some("connection"));
    assert_ne!(thread_of(false).await.as_deref(), Some("connection"));
}

#[tokio::test(start_paused = true)]
async fn what_is_asked_in_the_moment_of_the_end_is_answered() {
    let (connection, _name) = failing(false);
    // A request on its way: it has a place in the queue, and is in it only when the actor has come to its end.
    let place = connection.commands.reserve().await.unwrap();
    assert_eq!(connection.settled().await.state, State::Failed);
    let (events, told) = told::channel();
    place.send(Command::Request {
        request: Request::new("ping", None),
        exchange: 1,
        events,
    });
    let exchange = Exchange { id: 1, events: told };
    let answered = tokio::time::timeout(Duration::from_secs(1), exchange.finished());
    let outcome = answered.await.expect("nobody answers").outcome;
    assert!(matches!(outcome, Outcome::NotSent(_)), "{outcome:?}");
    connection.close().await;
}
