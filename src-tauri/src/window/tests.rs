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
