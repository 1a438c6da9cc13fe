//! The runtime, where the system may allow no more threads.

use std::{io, num::NonZero, sync::RwLock, thread};

use tokio::runtime::{Builder, Runtime};

/// How many more than the runtime's own are needed: work that blocks, the writer of the traffic log.
const OTHERS: usize = 2;

/// The runtime of all commands.
///
/// # Errors
/// The system allows too few threads.
pub(crate) fn runtime() -> io::Result<Runtime> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    start(workers + OTHERS)?;
    Builder::new_multi_thread()
        .worker_threads(workers)
        .enable_all()
        .build()
}

/// Starts so many threads at once, which end again: Tokio panics if it can start none.
fn start(count: usize) -> io::Result<()> {
    let gate = RwLock::new(());
    thread::scope(|scope| {
        let closed = gate.write();
        for _ in 0..count {
            thread::Builder::new().spawn_scoped(scope, || drop(gate.read()))?;
        }
        drop(closed);
        Ok(())
    })
}
