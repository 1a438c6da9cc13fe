//! What leaves the group of its server.

use std::{fs, path::Path};

use super::*;

/// A child that makes a session of its own is in no group of ours.
#[tokio::test]
async fn what_left_the_group_ends_with_the_server() {
    for deaf in ["", "trap '' TERM; "] {
        let life = Lifeline::new();
        let path = life.path();
        let script = format!(
            "setsid sh -c \"{deaf}exec 9>'{}'; while :; do sleep 0.05; done\" >/dev/null 2>&1 </dev/null & echo up; read x",
            path.display()
        );
        let mut stdio = started(&script).stdio;
        assert_eq!(next_line(&mut stdio).await, "up");
        let gone = life.held().await;
        stdio.close();
        to_the_end(&mut stdio).await;
        gone.await;
    }
}

/// A library in `folder` with the name of one that programs with windows have. It is a copy of one that this test has.
pub(super) fn window_library(folder: &Path) -> PathBuf {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let ours = maps
        .split_whitespace()
        .find(|part| part.starts_with('/') && part.contains("/libgcc_s.so"))
        .unwrap();
    let library = folder.join("libxcb.so.1");
    fs::copy(ours, &library).unwrap();
    library
}

/// A browser or an editor that the server opened for the user: the user's work in it is not the server's.
#[tokio::test]
async fn a_program_with_windows_is_left_alone_unless_a_program_controls_it() {
    for (option, survives) in [("--new-window", true), ("--headless", false)] {
        let folder = tempfile::tempdir().unwrap();
        let library = window_library(folder.path());
        let life = Lifeline::new();
        let at = folder.path().display();
        let script = format!(
            "LD_PRELOAD='{}' setsid sh -c \"exec 9>'{}'; until [ -e {at}/end ]; do sleep 0.05; done; touch {at}/ended\" browser {option} >/dev/null 2>&1 </dev/null & echo up; read x",
            library.display(),
            life.path().display(),
        );
        let mut stdio = started(&script).stdio;
        assert_eq!(next_line(&mut stdio).await, "up");
        let gone = life.held().await;
        stdio.close();
        to_the_end(&mut stdio).await;
        let ended = folder.path().join("ended");
        if survives {
            fs::write(folder.path().join("end"), "").unwrap();
        }
        gone.await;
        assert_eq!(ended.exists(), survives, "{option}");
    }
}
