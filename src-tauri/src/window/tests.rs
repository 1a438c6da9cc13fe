use tauri::Url;

use super::{APP_FRAMES, PAGE, Target, target};
use crate::problem::{self, Choice};

fn leads_to(address: &str) -> Target {
    Url::parse(address).map_or(Target::Elsewhere, |url| target(&url))
}

#[test]
fn the_window_stays_at_home() {
    let bare = PAGE.trim_end_matches('/').to_owned();
    let inside = [
        PAGE.to_owned(),
        bare,
        format!("{PAGE}index.html#x"),
        format!("blob:{PAGE}1-2"),
        "about:blank".into(),
    ];
    for address in inside {
        assert_eq!(leads_to(&address), Target::Ours, "{address}");
    }
    assert_eq!(leads_to(problem::ADDRESS), Target::Ours);
    assert_eq!(leads_to(&format!("{}x", APP_FRAMES)), Target::Ours);
    let outside = [
        "https://example.com/",
        "https://example.com/tauri://localhost/",
        "file:///etc/passwd",
        "data:text/html,x",
        "blob:https://example.com/1-2",
        "javascript:alert(1)",
        "tauri://localhost.example.com/",
        "tauri://localhost:1/",
    ];
    for address in outside {
        assert_eq!(leads_to(address), Target::Elsewhere, "{address}");
    }
}

#[test]
fn buttons_of_the_problem_page_are_choices() {
    assert_eq!(
        leads_to(&format!("{}separate", problem::ADDRESS)),
        Target::Choice(Choice::Separate)
    );
}

#[cfg(target_os = "linux")]
#[test]
fn keys_are_the_same_with_caps_lock_and_only_the_zoom_ignores_shift() {
    use super::{KeyAction, key_action, zoom::Step};
    use gtk::gdk::{ModifierType, keys::constants as key};

    let ctrl = ModifierType::CONTROL_MASK;
    let shifted = ctrl | ModifierType::SHIFT_MASK;
    // With Caps Lock, `q` is `Q` and Shift makes it `q`.
    assert_eq!(key_action(key::q, ctrl), Some(KeyAction::Quit));
    assert_eq!(key_action(key::Q, ctrl), Some(KeyAction::Quit));
    assert_eq!(key_action(key::Q, shifted), None);
    assert_eq!(key_action(key::q, shifted), None);
    assert_eq!(key_action(key::plus, shifted), Some(KeyAction::Zoom(Step::In)));
    assert_eq!(key_action(key::minus, ctrl), Some(KeyAction::Zoom(Step::Out)));
    assert_eq!(key_action(key::_0, ctrl), Some(KeyAction::Zoom(Step::Reset)));
    for held in [ModifierType::empty(), ctrl | ModifierType::MOD1_MASK] {
        assert_eq!(key_action(key::q, held), None);
        assert_eq!(key_action(key::plus, held), None);
    }
}
