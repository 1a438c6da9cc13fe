//! The servers' side: one address over TCP for the bridges of stdio servers, one over HTTP, and what crossed.
//!
//! It has a runtime of its own, so that the tasks of the engine can be counted.

mod http;
mod stdio;

use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::net::TcpListener;
use tokio::runtime::Handle;

use crate::script::{Script, behaviour::Behaviour, schemas::Schemas};

/// All servers.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) http: SocketAddr,
    pub(crate) stdio: SocketAddr,
    schemas: Arc<Schemas>,
    servers: Mutex<HashMap<String, Arc<Server>>>,
}

/// One server, and what crossed.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) script: Script,
    schemas: Arc<Schemas>,
    /// Whether it does everything right from now on.
    fair: AtomicBool,
    /// How often it was started, or connected to.
    parts: AtomicU64,
    /// Over HTTP there is one state for all requests.
    shared: Mutex<Behaviour>,
    pub(crate) crossed: Mutex<Crossed>,
}

/// What a server has received and sent.
#[derive(Debug, Default)]
pub(crate) struct Crossed {
    pub(crate) processes: Vec<Pipe>,
    pub(crate) posted: Vec<Vec<u8>>,
    /// All that was sent as a message, whether or not it arrived.
    pub(crate) offered: HashSet<Vec<u8>>,
}

/// What has crossed the pipes of one process.
#[derive(Debug, Default)]
pub(crate) struct Pipe {
    pub(crate) received: Vec<u8>,
    pub(crate) sent: Vec<u8>,
    pub(crate) ended: bool,
}

impl Crossed {
    fn forget(&mut self) {
        for pipe in &mut self.processes {
            (pipe.received, pipe.sent) = (Vec::new(), Vec::new());
        }
        self.posted = Vec::new();
        self.offered = HashSet::new();
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap()
}

impl Host {
    /// Listens on both addresses until its runtime ends.
    pub(crate) fn start(runtime: &Handle, schemas: Arc<Schemas>) -> Arc<Self> {
        let bind = || runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let (http, stdio) = (bind(), bind());
        let host = Arc::new(Self {
            http: http.local_addr().unwrap(),
            stdio: stdio.local_addr().unwrap(),
            schemas,
            servers: Mutex::default(),
        });
        runtime.spawn(http::listen(host.clone(), http));
        runtime.spawn(stdio::listen(host.clone(), stdio));
        host
    }

    /// A new server.
    pub(crate) fn add(&self, key: &str, script: Script) -> Arc<Server> {
        let server = Arc::new(Server {
            shared: Mutex::new(Behaviour::new(script.clone(), self.schemas.clone(), 0)),
            schemas: self.schemas.clone(),
            script,
            fair: AtomicBool::new(false),
            parts: AtomicU64::new(0),
            crossed: Mutex::default(),
        });
        lock(&self.servers).insert(key.to_owned(), server.clone());
        server
    }

    pub(crate) fn remove(&self, key: &str) {
        lock(&self.servers).remove(key);
    }

    /// Forgets what has crossed so far; for servers whose log is not compared.
    pub(crate) fn forget_traffic(&self) {
        for server in lock(&self.servers).values() {
            lock(&server.crossed).forget();
        }
    }

    fn find(&self, key: &str) -> Option<Arc<Server>> {
        lock(&self.servers).get(key).cloned()
    }
}

impl Server {
    /// From now on it does everything right.
    pub(crate) fn be_fair(&self) {
        self.fair.store(true, Ordering::SeqCst);
    }

    fn is_fair(&self) -> bool {
        self.fair.load(Ordering::SeqCst)
    }
}
