//! Whole runs against a small server that is both resource server and authorization server, with a scripted user.

mod discovery;
mod dpop;
mod forgotten;
mod grants;
mod harness;
mod kept;
mod other_settings;
mod refresh;
mod registration;
mod run;
mod safety;
mod step_up;
mod workload;
