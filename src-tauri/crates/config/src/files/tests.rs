use super::{remove_unfinished, write_atomically, write_synced};

#[test]
fn a_write_replaces_the_file_and_leaves_no_temporary_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("deep/file.json");
    write_atomically(&path, "one").unwrap();
    write_atomically(&path, "two").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_write_that_does_not_reach_the_disk_is_an_error_and_keeps_the_old_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("servers.json");
    write_atomically(&path, "old").unwrap();
    let failing = |_: &std::fs::File| Err(std::io::Error::other("the disk is gone"));
    let error = write_synced(&path, "new", failing).unwrap_err().to_string();
    assert!(
        error.starts_with("Writing failed for") && error.ends_with("the disk is gone"),
        "{error}"
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    write_atomically(&path, "new").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_is_followed_and_the_file_is_private() {
    use std::os::unix::fs::PermissionsExt as _;

    let dir = tempfile::tempdir().unwrap();
    let real = dir.path().join("dotfiles.json");
    let link = dir.path().join("servers.json");
    std::fs::write(&real, "old").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    write_atomically(&link, "new").unwrap();
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "new");
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o077, 0);
}

#[test]
fn what_was_being_written_when_we_were_killed_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("servers.json");
    write_atomically(&file, "{}").unwrap();
    let (left, foreign) = (
        folder.path().join(".patchbay-abc.tmp"),
        folder.path().join(".tmpabc"),
    );
    std::fs::write(&left, "half").unwrap();
    std::fs::write(&foreign, "of somebody else").unwrap();
    remove_unfinished(&file);
    assert!(file.exists() && foreign.exists() && !left.exists());
}
