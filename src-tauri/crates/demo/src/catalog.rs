//! What the server offers beside its tools: resources, prompts, the completion of their arguments, and the media that they
//! hold.

pub(crate) mod completion;
pub(crate) mod media;
pub(crate) mod prompts;
pub(crate) mod resources;
