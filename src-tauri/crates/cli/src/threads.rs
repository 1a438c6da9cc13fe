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

/// Starts so many threads at once and waits until they have ended: Tokio panics if it can start none.
fn start(count: usize) -> io::Result<()> {
    let gate = RwLock::new(());
    thread::scope(|scope| {
        let closed = gate.write();
        let threads: io::Result<Vec<_>> = (0..count)
            .map(|_| thread::Builder::new().spawn_scoped(scope, || drop(gate.read())))
            .collect();
        drop(closed);
        // The end of the scope does not wait until the system has their memory back.
        for thread in threads? {
            let _ = thread.join();
        }
        Ok(())
    })
}
