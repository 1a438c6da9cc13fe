//! The server's resources, skills and prompts, the completion of their arguments, and their media.

pub(crate) mod completion;
pub(crate) mod media;
pub(crate) mod prompts;
pub(crate) mod resources;
pub(crate) mod skills;
