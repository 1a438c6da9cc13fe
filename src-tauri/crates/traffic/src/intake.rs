//! What is on its way to the disk: the bounded queue, and the batch that the writer makes of it.

pub(crate) mod batch;
pub(crate) mod queue;
