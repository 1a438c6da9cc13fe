use std::path::Path;

use super::*;

const SERVER: &str = "s";

/// A folder with the roots of a server in it.
struct Home {
    folder: tempfile::TempDir,
    store: Arc<RootStore>,
}

impl Home {
    fn new() -> Self {
        let nudges = Arc::new(crate::dispatch::nudges::Nudges::new());
        Self {
            folder: tempfile::tempdir().unwrap(),
            store: RootStore::open(Path::new(""), false, &nudges),
        }
    }

    /// The path of a folder in it.
    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Makes a folder.
    fn make(&self, name: &str) -> String {
        let path = self.path(name);
        std::fs::create_dir(&path).unwrap();
        path
    }

    fn server(&self) -> ServerId {
        ServerId(SERVER.to_owned())
    }

    async fn allow(&self, paths: &[&str]) {
        let paths: Vec<String> = paths.iter().map(|&path| path.to_owned()).collect();
        self.store.decide(&self.server(), &paths, true).await.unwrap();
    }

    async fn set(&self, name: &str, paths: &[&str]) -> patchbay_contract::RootSetId {
        let folders = paths.iter().map(|&path| patchbay_contract::RootFolder {
            path: path.to_owned(),
            name: None,
        });
        self.store.save(None, name, folders.collect()).await.unwrap()
    }

    fn roots(&self, paths: &[&str], sets: Vec<patchbay_contract::RootSetId>) -> LiveRoots {
        let rule = RootsRule::Folders {
            paths: paths.iter().map(|&path| path.to_owned()).collect(),
            names: Default::default(),
            sets,
        };
        LiveRoots::new(self.server(), Some(rule), self.store.clone())
    }
}

/// The names in an answer.
fn names(answer: &RootsAnswer) -> Vec<String> {
    let json: serde_json::Value = serde_json::from_str(&answer.json).unwrap();
    let roots = json["roots"].as_array().unwrap();
    roots
        .iter()
        .map(|root| root["name"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_folder_is_sent_once_it_is_allowed_and_never_waited_for() {
    let home = Home::new();
    let [own, shared] = ["own", "shared"].map(|name| home.make(name));
    let set = home.set("Set", &[&shared]).await;
    let roots = home.roots(&[&own], vec![set.clone()]);
    assert_eq!(roots.withheld(), 0, "it has not asked");
    let answer = roots.answer().await.unwrap();
    assert_eq!(answer.json, r#"{"roots":[]}"#);
    assert_eq!(
        answer.rule,
        "these roots (server settings), without 2 not allowed yet"
    );
    assert_eq!(roots.withheld(), 2);
    assert!(!roots.recheck().await, "nothing changed");
    home.allow(&[&own]).await;
    assert!(roots.recheck().await);
    assert!(!roots.recheck().await);
    assert_eq!(
        (names(&roots.answer().await.unwrap()), roots.withheld()),
        (vec!["own".to_owned()], 1)
    );
    home.store
        .decide(&home.server(), std::slice::from_ref(&shared), false)
        .await
        .unwrap();
    assert!(!roots.recheck().await, "it did not have it");
    assert_eq!(roots.withheld(), 0, "the user is asked once");
    let rule = roots.answer().await.unwrap().rule;
    assert_eq!(rule, "these roots (server settings), without 1 declined");
    // A folder that is new in the set is a new question, also for a server that has the set.
    let new = home.make("new");
    let folders = [&shared, &new].map(|path| patchbay_contract::RootFolder {
        path: path.clone(),
        name: None,
    });
    home.store.save(Some(set), "Set", folders.to_vec()).await.unwrap();
    assert!(!roots.recheck().await);
    assert_eq!(roots.withheld(), 1);
    // Another server has its own decisions.
    let other = LiveRoots::new(
        ServerId("other".to_owned()),
        roots.lock().rule.clone(),
        home.store.clone(),
    );
    assert_eq!(other.answer().await.unwrap().json, r#"{"roots":[]}"#);
}

#[tokio::test]
async fn a_folder_that_is_gone_is_left_out_until_it_is_back() {
    let home = Home::new();
    let [first, second] = ["first", "second"].map(|name| home.make(name));
    let file = home.path("file");
    std::fs::write(&file, "").unwrap();
    let all = [&*first, &second, &file, "relative", ""];
    home.allow(&all).await;
    let roots = home.roots(&all, Vec::new());
    assert!(!roots.recheck().await, "the server knows nothing yet");
    let answer = roots.answer().await.unwrap();
    assert_eq!(names(&answer), ["first", "second"]);
    assert_eq!(
        answer.rule,
        "these roots (server settings), without 2 that cannot be read"
    );
    let states = |roots: &LiveRoots| -> Vec<FolderState> {
        roots
            .response()
            .folders
            .iter()
            .map(|folder| folder.state)
            .collect()
    };
    use FolderState::{Missing, NotAFolder, NotAbsolute, Ready};
    assert_eq!(states(&roots), [Ready, Ready, NotAFolder, NotAbsolute]);
    std::fs::remove_dir(&first).unwrap();
    assert!(roots.recheck().await);
    assert_eq!(states(&roots), [Missing, Ready, NotAFolder, NotAbsolute]);
    assert_eq!(names(&roots.answer().await.unwrap()), ["second"]);
    std::fs::create_dir(&first).unwrap();
    assert!(roots.recheck().await);
    assert_eq!(names(&roots.answer().await.unwrap()), ["first", "second"]);
}

#[tokio::test]
async fn a_folder_that_is_named_in_many_ways_is_sent_once() {
    let home = Home::new();
    let folder = home.make("a b");
    let spellings = [
        format!("{folder}/"),
        folder.clone(),
        folder.replace("/a b", "//./a b"),
    ];
    let set = home.set("Set", &[&spellings[1]]).await;
    home.allow(&[&folder]).await;
    let roots = home.roots(&[&spellings[0], &spellings[2]], vec![set.clone(), set.clone()]);
    let answer = roots.answer().await.unwrap();
    assert_eq!(names(&answer), ["a b"]);
    let items = roots.response().folders;
    assert_eq!(items.len(), 1);
    assert!(items[0].is_own && items[0].sets == [set]);
    // A link is a folder of its own: the user named it.
    #[cfg(unix)]
    {
        let link = home.path("link");
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        home.allow(&[&link]).await;
        let both = home.roots(&[&folder, &link], Vec::new());
        assert_eq!(names(&both.answer().await.unwrap()), ["a b", "link"]);
    }
}

#[tokio::test]
async fn a_thousand_folders_are_answered_at_once() {
    let home = Home::new();
    let paths: Vec<String> = (0..1_000).map(|n| home.make(&format!("{n}"))).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    home.allow(&paths).await;
    let roots = home.roots(&paths, Vec::new());
    assert_eq!(names(&roots.answer().await.unwrap()).len(), 1_000);
    std::fs::remove_dir(Path::new(paths[500])).unwrap();
    assert!(roots.recheck().await);
    assert_eq!(names(&roots.answer().await.unwrap()).len(), 999);
}

#[tokio::test]
async fn asking_the_user_and_sending_nothing_look_at_no_folder() {
    let ask = LiveRoots::for_test(Some(RootsRule::Ask {}));
    assert_eq!((ask.answer().await, ask.rule()), (None, None));
    let none = LiveRoots::for_test(None);
    let answer = none.answer().await.unwrap();
    assert_eq!(answer.json, r#"{"roots":[]}"#);
    assert_eq!(answer.rule, "no roots (server settings)");
    assert!(!none.has_folders());
}
