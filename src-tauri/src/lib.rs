//! The window. Tauri shows the page of `ui/dist` and passes its calls to the engine, which does everything else.
//!
//! Structure: [`run`] builds the app; [`shell`] opens the engine, and closes it however the program ends; [`window`]
//! creates the window and restricts its navigation; [`ipc`] has the page's five commands; [`problem`] is shown if the
//! engine cannot be opened; [`app_frame`] serves the apps of servers to their frames; [`save`] asks for the path of a file;
//! [`dropped`] reads files that were dropped into the window.
//!
//! Deliberately not here: any command of the contract (engine), and any content of the page (ui).
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod app_frame;
mod dropped;
mod instance;
mod ipc;
mod problem;
mod save;
mod shell;
mod window;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tauri::Manager;
use tauri::RunEvent;

use crate::shell::Shell;

/// The options of the window.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// One folder for all files; the user's own folders if none.
    pub data_dir: Option<PathBuf>,
    /// Links to show for review.
    pub links: Vec<String>,
}

/// Whether an argument is a link for us. Whether it is a good one is decided where it is read.
#[must_use]
pub fn is_link(text: &str) -> bool {
    let scheme = text.get(.."patchbay:".len()).unwrap_or_default();
    scheme.eq_ignore_ascii_case("patchbay:")
}

/// Opens the window and returns after it was closed and every server process has ended. A second start with the same data
/// folder brings the first window to the front instead.
#[must_use]
pub fn run(options: Options) -> ExitCode {
    if !window::has_display() {
        eprintln!("There is no display to open a window on. `patchbay serve` gives the same in a browser.");
        return ExitCode::FAILURE;
    }
    record_diagnostics(options.data_dir.as_deref());
    let (shell, choices) = Shell::new();
    let mut builder = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init());
    if let Some(only_one) = instance::plugin(options.data_dir.as_deref()) {
        builder = builder.plugin(only_one);
    }
    let built = builder
        .manage(shell)
        .manage(save::Saves::default())
        .register_uri_scheme_protocol(problem::SCHEME, |context, _request| {
            let shell = context.app_handle().state::<Shell>();
            problem::page(shell.problem().as_ref())
        })
        .register_asynchronous_uri_scheme_protocol(app_frame::SCHEME, |context, request, responder| {
            app_frame::respond(context.app_handle(), request.uri().path(), responder);
        })
        .invoke_handler(tauri::generate_handler![
            ipc::call,
            ipc::open_stream,
            ipc::close_stream,
            ipc::body,
            ipc::dropped_file
        ])
        .setup(move |app| {
            shell::start(app.handle(), options.data_dir.clone(), choices);
            window::open(app.handle(), options.data_dir.as_deref())?;
            for link in options.links.clone() {
                shell::open_link(app.handle(), link);
            }
            Ok(())
        })
        .build(context());
    match built {
        Ok(app) => app.run(|app, event| {
            // macOS hands over links as an event, not as an argument.
            #[cfg(target_os = "macos")]
            if let RunEvent::Opened { urls } = &event {
                let links = urls.iter().map(ToString::to_string).filter(|url| is_link(url));
                shell::started_again(app, links.collect());
            }
            on_exit(app, &event);
        }),
        Err(error) => {
            eprintln!("The window could not be opened: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The configuration and the page, as they were built in.
#[expect(
    clippy::disallowed_methods,
    reason = "the macro makes the configuration on a thread with a large stack, and joins it"
)]
fn context() -> tauri::Context {
    tauri::generate_context!()
}

/// The program ends when all servers have.
fn on_exit(app: &tauri::AppHandle, event: &RunEvent) {
    if let RunEvent::ExitRequested { api, code, .. } = event
        && !shell::has_left(app)
    {
        api.prevent_exit();
        shell::leave(app, code.unwrap_or_default());
    }
    if matches!(event, RunEvent::Exit) {
        shell::close_at_exit(app);
        shell::restart(app);
    }
}

/// Writes diagnostics to the state folder.
fn record_diagnostics(data_dir: Option<&Path>) {
    if let Err(error) = patchbay_engine::start_diagnostics(data_dir) {
        eprintln!("No diagnostics will be kept: {error}");
    }
}
