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
