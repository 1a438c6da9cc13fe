//! Whole runs against a small server that is resource and authorization server in one, with a user who is a script.

mod discovery;
mod grants;
mod harness;
mod refresh;
mod registration;
mod run;
mod safety;
mod step_up;
