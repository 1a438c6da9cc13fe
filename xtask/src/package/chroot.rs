//! `package --chroot`: installs the `.deb` in a bare Debian and drives the window there, as on a machine that has nothing else.
//!
//! Not part of the tests: it needs root, a mirror of Debian and several minutes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::files;
use crate::{Outcome, place, process};

/// The Debian that the package must work on: the one it is built on.
const RELEASE: &str = "bookworm";
/// What the driver of the window needs beside the package.
const DRIVER: &[&str] = &[
    "xvfb",
    "xauth",
    "dbus",
    "openbox",
    "webkit2gtk-driver",
    "imagemagick",
    "xdotool",
    "x11-utils",
    "procps",
    "nodejs",
    "fonts-dejavu-core",
];

/// Installs the `.deb` among `packages` and runs the window's first-run test against it.
pub(super) fn drive(packages: &[PathBuf]) -> Outcome {
    let deb = packages
        .iter()
        .find(|file| file.extension().is_some_and(|end| end == "deb"))
        .ok_or("there is no .deb to install")?;
    if process::which("debootstrap").is_none() {
        return Err("debootstrap is not installed: `apt-get install debootstrap`".to_owned());
    }
    let root = place::cache().join("chroot");
    if !root.join("usr/bin/apt-get").exists() {
        let mut debootstrap = process::command("debootstrap");
        process::must(debootstrap.args(["--variant=minbase", RELEASE]).arg(&root))?;
    }
    let inside = root.join("opt");
    files::copy(deb, &inside.join("patchbay.deb"))?;
    let _ = fs::remove_dir_all(inside.join("e2e"));
    process::must(
        process::command("cp")
            .arg("-r")
            .arg(place::root().join("tests/e2e/window"))
            .arg(inside.join("e2e")),
    )?;
    let apt = "apt-get -qq -o Dpkg::Use-Pty=0";
    within(&root, "apt-get -qq update")?;
    within(
        &root,
        "dpkg -s patchbay >/dev/null 2>&1 && dpkg --purge patchbay || true",
    )?;
    within(
        &root,
        &format!("{apt} install -y --no-install-recommends /opt/patchbay.deb"),
    )?;
    // With nothing but what the package asked for.
    within(
        &root,
        "! ldd /usr/bin/patchbay /usr/bin/patchbay-app | grep 'not found'",
    )?;
    within(
        &root,
        "patchbay --version && patchbay tools list --stdio 'patchbay demo-server' > /dev/null",
    )?;
    within(
        &root,
        &format!("{apt} install -y --no-install-recommends {}", DRIVER.join(" ")),
    )?;
    within(
        &root,
        "cd /opt/e2e && PATCHBAY_SHOTS=/opt/shots PATCHBAY_APP=/usr/bin/patchbay-app PATCHBAY_BIN=/usr/bin/patchbay \
         node run.mjs first-run.test.mjs",
    )?;
    within(
        &root,
        "dpkg --purge patchbay && ! ls /usr/bin/patchbay* 2>/dev/null",
    )?;
    println!("Pictures are in {}", inside.join("shots").display());
    Ok(())
}

/// Mounts the kernel's file systems in the folder `$1`, and runs the script `$2` there. The mounts are those of this command
/// alone: the kernel removes them with its last process, also if it is interrupted.
const MOUNTED: &str = r#"
mount -t proc proc "$1/proc"
mount --rbind --make-rslave /dev "$1/dev"
exec chroot "$1" sh -ec "$2"
"#;

fn within(root: &Path, script: &str) -> Outcome {
    let mut unshare = process::command("unshare");
    unshare.args(["--mount", "sh", "-ec", MOUNTED, "sh"]);
    unshare.arg(root).arg(script);
    process::must(environment(&mut unshare)).map_err(|error| error.replace(MOUNTED, "…"))
}

/// A clean environment: nothing of this machine leaks into the bare one.
fn environment(command: &mut Command) -> &mut Command {
    command
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .env("HOME", "/opt")
        .env("LC_ALL", "C.UTF-8")
        .env("DEBIAN_FRONTEND", "noninteractive")
}
