//! Whole runs against a small server that is resource and authorization server in one, with a user who is a script.

mod desk;
mod discovery;
mod grants;
mod refresh;
mod registration;
mod run;
mod safety;
mod step_up;
mod world;
