use super::Folders;

#[test]
fn the_data_folder_holds_every_file() {
    let dir = tempfile::tempdir().unwrap();
    let folders = Folders::locate(Some(dir.path())).unwrap();
    for (file, name) in [
        (&folders.servers, "servers.json"),
        (&folders.store, "traffic.sqlite"),
        (&folders.log, "patchbay.log"),
        (&folders.ui, "ui.json"),
    ] {
        assert_eq!(*file, dir.path().join(name));
    }
}

#[test]
fn what_a_killed_patchbay_was_writing_is_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let folders = Folders::locate(Some(dir.path())).unwrap();
    std::fs::create_dir_all(&folders.chats).unwrap();
    let (unfinished, other) = (
        folders.chats.join(".patchbay-1.tmp"),
        folders.chats.join("c.jsonl"),
    );
    for file in [&unfinished, &other] {
        std::fs::write(file, "{").unwrap();
    }
    folders.remove_unfinished();
    assert!(!unfinished.exists() && other.exists());
}
