//! What a connected server offers: its lists, the calls and reads made on it, and what it requests meanwhile.

mod app_frame;
mod change;
mod definition;
mod exchange;
mod input;
mod list;
mod prompt;
mod provider;
mod resource;
mod sampling;
mod simulator;
mod skill;
mod subscription;
mod task;
mod tool;

pub use app_frame::*;
pub use change::*;
pub use definition::*;
pub use exchange::*;
pub use input::*;
pub use list::*;
pub use prompt::*;
pub use provider::*;
pub use resource::*;
pub use sampling::*;
pub use simulator::*;
pub use skill::*;
pub use subscription::*;
pub use task::*;
pub use tool::*;
