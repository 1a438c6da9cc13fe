use super::Folders;

#[test]
fn one_folder_moves_everything() {
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
