use std::fs;

use tauri::Url;

use super::Saves;

#[test]
fn a_file_is_replaced_when_the_new_one_is_whole_and_kept_when_it_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let chosen = folder.path().join("a result.txt");
    fs::write(&chosen, "old").unwrap();
    let url = |number: u32| Url::parse(&format!("blob:tauri://localhost/{number}")).unwrap();
    let saves = Saves::default();

    let failing = saves.begin(url(1), chosen.clone());
    assert!(failing != chosen && !failing.exists());
    // A second one at the same time has another part.
    let other = saves.begin(url(2), chosen.clone());
    assert!(other != failing && !other.exists());
    fs::write(&failing, "ne").unwrap();
    assert_eq!(fs::read_to_string(&chosen).unwrap(), "old");
    let problem = saves.end(&url(1), false).unwrap_err();
    assert!(problem.contains(&chosen.display().to_string()), "{problem}");
    assert_eq!(fs::read_to_string(&chosen).unwrap(), "old");
    saves.end(&url(2), false).unwrap_err();

    let part = saves.begin(url(3), chosen.clone());
    fs::write(&part, "new").unwrap();
    assert_eq!(fs::read_to_string(&chosen).unwrap(), "old");
    saves.end(&url(3), true).unwrap();
    assert_eq!(fs::read_to_string(&chosen).unwrap(), "new");

    // The window ends while a file is being saved.
    let part = saves.begin(url(4), chosen.clone());
    fs::write(&part, "half").unwrap();
    saves.abandon();
    #[cfg(target_os = "linux")]
    saves.end(&url(4), false).unwrap();
    assert_eq!(fs::read_to_string(&chosen).unwrap(), "new");
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "a part is left");

    // Its name cannot be had: what was saved is kept.
    let taken = folder.path().join("folder");
    fs::create_dir_all(taken.join("inner")).unwrap();
    let part = saves.begin(url(5), taken);
    fs::write(&part, "whole").unwrap();
    let problem = saves.end(&url(5), true).unwrap_err();
    assert!(problem.contains(&part.display().to_string()), "{problem}");
    assert_eq!(fs::read_to_string(&part).unwrap(), "whole");
}
