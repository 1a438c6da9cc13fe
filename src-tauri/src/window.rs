//! The window: creating it, storing its position and zoom, and restricting its navigation.

use std::path::{Path, PathBuf};

use tauri::utils::config::Color;
use tauri::webview::{NewWindowResponse, PageLoadEvent};
use tauri::{AppHandle, Manager, Runtime, Theme, Url, WebviewWindow, WebviewWindowBuilder, WindowEvent};
use tauri_plugin_window_state::{AppHandleExt, StateFlags};

use crate::shell::Shell;
use crate::{ipc, problem, save, shell};

/// The address below which the documents of apps are ([`crate::app_frame`]): Windows does not support custom schemes, only hosts.
const APP_FRAMES: &str = if cfg!(windows) {
    "http://app-frame.localhost/"
} else {
    "app-frame://localhost/"
};

/// The window's label, in the configuration and the capability.
const LABEL: &str = "main";

/// The address of the page.
const PAGE: &str = if cfg!(windows) {
    "http://tauri.localhost/"
} else {
    "tauri://localhost/"
};

/// `--pb-ground` of the page's style, to avoid a flash before the page is loaded.
const LIGHT: Color = Color(0xf4, 0xf6, 0xf8, 0xff);
const DARK: Color = Color(0x15, 0x18, 0x1c, 0xff);

/// The stored parts of the window's state. A restored window is always visible.
const REMEMBERED: StateFlags = StateFlags::SIZE
    .union(StateFlags::POSITION)
    .union(StateFlags::MAXIMIZED)
    .union(StateFlags::FULLSCREEN);

/// Whether a window can be opened at all.
pub(crate) fn has_display() -> bool {
    #[cfg(target_os = "linux")]
    return gtk::init().is_ok();
    #[cfg(not(target_os = "linux"))]
    true
}

/// Creates the window and starts loading the page.
pub(crate) fn open<R: Runtime>(app: &AppHandle<R>, data_dir: Option<&Path>) -> tauri::Result<()> {
    let home = home(app, data_dir);
    let mut place = tauri_plugin_window_state::Builder::new().with_state_flags(REMEMBERED);
    if let Some(home) = &home {
        // An absolute path, because the plugin would use a folder chosen by Tauri.
        place = place.with_filename(home.join("window.json").to_string_lossy());
    }
    app.plugin(place.build())?;
    let config = app
        .config()
        .app
        .windows
        .iter()
        .find(|window| window.label == LABEL)
        .cloned()
        .unwrap_or_default();
    let builder = WebviewWindowBuilder::from_config(app, &config)?
        .on_navigation({
            let app = app.clone();
            move |url| may_navigate(&app, url)
        })
        .on_new_window(|_url, _features| NewWindowResponse::Deny)
        .on_download(|webview, event| save::decide(&webview, event))
        // Linux: `handle_keys`, which remembers the zoom.
        .zoom_hotkeys_enabled(cfg!(not(target_os = "linux")))
        // For the page's “Copy” buttons.
        .enable_clipboard_access()
        .on_page_load(|window, load| {
            if load.event() == PageLoadEvent::Started {
                // A reloaded page does not know the streams of the previous one.
                let shell = window.state::<Shell>();
                shell.streams.close_all();
                shell.bodies.clear();
            }
        });
    let window = match &home {
        Some(home) => builder.data_directory(home.join("webview")),
        None => builder.incognito(true),
    }
    .build()?;
    window.on_window_event({
        let app = app.clone();
        move |event| on_event(&app, event)
    });
    let dark = window.theme().is_ok_and(|theme| theme == Theme::Dark);
    window.set_background_color(Some(if dark { DARK } else { LIGHT }))?;
    let zoom = restore_zoom(&window, home.as_deref());
    handle_keys(&window, zoom)?;
    // The engine may have failed before the window existed.
    if app.state::<Shell>().problem().is_some() {
        show_problem(app);
    }
    Ok(())
}

fn on_event<R: Runtime>(app: &AppHandle<R>, event: &WindowEvent) {
    match event {
        WindowEvent::CloseRequested { api, .. } => {
            api.prevent_close();
            shell::leave(app, 0);
        }
        WindowEvent::DragDrop(event) => app.state::<Shell>().dropped.note(event),
        _ => {}
    }
}

/// The folder for the window's own files. None if it cannot be created: nothing is stored, the window still opens, and the
/// engine, which needs a folder too, reports the problem.
fn home<R: Runtime>(app: &AppHandle<R>, data_dir: Option<&Path>) -> Option<PathBuf> {
    let home = match data_dir {
        Some(folder) => std::path::absolute(folder).ok()?,
        None => app.path().data_dir().ok()?.join("patchbay"),
    };
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .recursive(true)
        .create(&home)
        .inspect_err(|error| tracing::warn!(%error, "the window will not remember its place"))
        .is_ok()
        .then_some(home)
}

/// The target of a navigation.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    /// Our own page, or something it created.
    Ours,
    /// A button of the problem page.
    Choice(problem::Choice),
    /// Anything else: links open in the system browser with the command `link_open`, after the user saw them.
    Elsewhere,
}

fn target(url: &Url) -> Target {
    if let Some(choice) = problem::choice(url) {
        return Target::Choice(choice);
    }
    match url.scheme() {
        // The empty document, and frames created by the page.
        "about" => Target::Ours,
        // A download created by the page.
        "blob" if Url::parse(url.path()).is_ok_and(|maker| is_at(&maker, PAGE)) => Target::Ours,
        // The sandbox of such a frame keeps it from navigating the window.
        _ if is_at(url, APP_FRAMES) => Target::Ours,
        _ if is_at(url, PAGE) || is_at(url, problem::ADDRESS) => Target::Ours,
        _ => Target::Elsewhere,
    }
}

/// Whether `url` has the scheme and host of `address`, which is written with and without a final slash.
fn is_at(url: &Url, address: &str) -> bool {
    let bare = address.trim_end_matches('/');
    url.as_str()
        .strip_prefix(bare)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn may_navigate<R: Runtime>(app: &AppHandle<R>, url: &Url) -> bool {
    match target(url) {
        Target::Ours => true,
        Target::Choice(choice) => {
            app.state::<Shell>().choose(choice);
            false
        }
        Target::Elsewhere => {
            // Not the whole address, because it may contain secrets.
            tracing::warn!(
                scheme = url.scheme(),
                host = url.host_str(),
                "a navigation was blocked"
            );
            false
        }
    }
}

/// Shows the problem page.
pub(crate) fn show_problem<R: Runtime>(app: &AppHandle<R>) {
    go(app, problem::ADDRESS);
}

/// Shows the page after the engine was opened, and a separate folder in the title.
pub(crate) fn show_page<R: Runtime>(app: &AppHandle<R>, data_dir: Option<&Path>) {
    if let (Some(window), Some(name)) = (app.get_webview_window(LABEL), data_dir.and_then(Path::file_name)) {
        let _ = window.set_title(&format!("Patchbay ({})", name.to_string_lossy()));
    }
    go(app, PAGE);
}

fn go<R: Runtime>(app: &AppHandle<R>, address: &str) {
    let Some(window) = app.get_webview_window(LABEL) else {
        return;
    };
    let gone = Url::parse(address)
        .map_err(|error| error.to_string())
        .and_then(|url| window.navigate(url).map_err(|error| error.to_string()));
    if let Err(error) = gone {
        tracing::error!(%error, address, "the window could not navigate");
    }
}

/// Hides the window and stores its position.
pub(crate) fn put_away<R: Runtime>(app: &AppHandle<R>) {
    if let Err(error) = app.save_window_state(REMEMBERED) {
        tracing::warn!(%error, "the window's place was not saved");
    }
    if let Some(window) = app.get_webview_window(LABEL) {
        let _ = window.hide();
    }
}

/// Makes the page save its changes and say goodbye when the engine has responded. False if there is no page.
pub(crate) fn request_final_save<R: Runtime>(app: &AppHandle<R>) -> bool {
    app.get_webview_window(LABEL)
        .is_some_and(|window| window.eval(ipc::final_save()).is_ok())
}

/// Closes the page.
pub(crate) fn destroy<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(LABEL) {
        let _ = window.destroy();
    }
}

/// Brings the window to the front.
pub(crate) fn focus<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(LABEL) {
        let raised = window
            .unminimize()
            .and_then(|()| window.show())
            .and_then(|()| window.set_focus());
        if let Err(error) = raised {
            tracing::warn!(%error, "the window could not be brought to the front");
        }
    }
}

/// Ctrl-Q and the keys of the zoom. On other platforms the system's menu and the web view have them; GTK has no key for
/// them, and this window has no menu.
#[cfg(target_os = "linux")]
fn handle_keys<R: Runtime>(window: &WebviewWindow<R>, zoom: zoom::Zoom) -> tauri::Result<()> {
    use gtk::glib::Propagation;
    use gtk::prelude::WidgetExt;

    let shown = window.clone();
    let zoom = std::cell::RefCell::new(zoom);
    window.gtk_window()?.connect_key_press_event(move |_, event| {
        let held = event.state() & gtk::accelerator_get_default_mod_mask();
        match key_action(event.keyval(), held) {
            None => return Propagation::Proceed,
            Some(KeyAction::Quit) => shown.app_handle().exit(0),
            Some(KeyAction::Zoom(step)) => apply_zoom(&shown, zoom.borrow_mut().step(step)),
        }
        Propagation::Stop
    });
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn handle_keys<R: Runtime>(_window: &WebviewWindow<R>, _zoom: zoom::Zoom) -> tauri::Result<()> {
    Ok(())
}

/// What a key of the window does.
#[cfg(target_os = "linux")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyAction {
    Quit,
    Zoom(zoom::Step),
}

/// What a key does with these modifiers, which do not include Caps Lock.
#[cfg(target_os = "linux")]
fn key_action(pressed: gtk::gdk::keys::Key, held: gtk::gdk::ModifierType) -> Option<KeyAction> {
    use gtk::gdk::{ModifierType, keys::constants as key};

    // Shift is needed for `+` on some keyboards.
    if held & !ModifierType::SHIFT_MASK != ModifierType::CONTROL_MASK {
        return None;
    }
    let is_shifted = held.contains(ModifierType::SHIFT_MASK);
    // Caps Lock makes `q` a `Q`.
    match pressed.to_lower() {
        key::q if !is_shifted => Some(KeyAction::Quit),
        key::plus | key::equal | key::KP_Add => Some(KeyAction::Zoom(zoom::Step::In)),
        key::minus | key::KP_Subtract => Some(KeyAction::Zoom(zoom::Step::Out)),
        key::_0 | key::KP_0 | key::KP_Insert => Some(KeyAction::Zoom(zoom::Step::Reset)),
        _ => None,
    }
}

/// Gives the window the zoom that its folder keeps.
fn restore_zoom<R: Runtime>(window: &WebviewWindow<R>, home: Option<&Path>) -> zoom::Zoom {
    let zoom = zoom::Zoom::open(home.map(|home| home.join("zoom.json")));
    if zoom.percent() != zoom::NONE {
        apply_zoom(window, zoom.percent());
    }
    zoom
}

fn apply_zoom<R: Runtime>(window: &WebviewWindow<R>, percent: u16) {
    if let Err(error) = window.set_zoom(f64::from(percent) / 100.0) {
        tracing::warn!(%error, percent, "the window could not be zoomed");
    }
}

mod zoom;

#[cfg(test)]
mod tests;
