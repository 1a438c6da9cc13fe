//! Writes the contract's TypeScript into a folder and removes other files from it: `typescript FOLDER`.

use std::{env, fs, io, path::PathBuf};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or(io::ErrorKind::InvalidInput)?);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for (name, text) in patchbay_contract::export::typescript() {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}
