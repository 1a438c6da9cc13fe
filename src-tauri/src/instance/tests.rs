use super::bus_name;
use std::path::Path;

#[test]
fn a_folder_has_one_name_for_all_spellings() {
    let name = bus_name(Path::new("/tmp"));
    assert_eq!(name, bus_name(Path::new("/tmp/")));
    assert_eq!(name, bus_name(Path::new("/tmp/../tmp")));
    assert_ne!(name, bus_name(Path::new("/")));
    assert!(name.starts_with("dev.patchbay.Patchbay.F"), "{name}");
}
