//! `package`: the packages of this system with what belongs to them, a check of their contents, and their sizes.
//!
//! Tauri's bundler makes them, from `src-tauri/tauri.conf.json` and the files of [`stage`]. Deliberately not here: signing, which
//! needs keys, and anything that looks for updates.

mod check;
mod chroot;
mod files;
mod sbom;
mod sizes;
mod stage;

use std::fs;
use std::path::PathBuf;

use crate::install::node;
use crate::install::pins::Pins;
use crate::install::system::{self, Purpose};
use crate::{Outcome, place, process};
use files::{Run, copy, files, write};
use stage::Stage;

/// The formats made without being named. AppImage is made only on request: its tool is downloaded by the bundler.
const FORMATS: &[&str] = if cfg!(target_os = "macos") {
    &["app", "dmg"]
} else if cfg!(windows) {
    &["nsis", "msi"]
} else {
    &["deb", "rpm"]
};

pub(crate) fn run(args: &[String]) -> Outcome {
    let mut formats: Vec<&str> = FORMATS.to_vec();
    let mut in_chroot = false;
    let mut is_debug = false;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match (arg.as_str(), args.len()) {
            ("--formats", 1..) => formats = args.next().map_or("", |list| list).split(',').collect(),
            ("--chroot", _) => in_chroot = true,
            ("--debug", _) => is_debug = true,
            _ => {
                return Err(format!(
                    "`{arg}` is not known here. Usage: package [--debug] [--formats LIST] [--chroot]"
                ));
            }
        }
    }
    node::check_version()?;
    system::ensure(Purpose::Test)?;
    node::install(&place::root().join("ui"), process::must)?;
    node::build_ui(process::must)?;
    if is_debug {
        return debug(in_chroot);
    }
    let programs = ["--package", "patchbay-app", "--package", "patchbay-cli"];
    process::must(
        process::cargo()
            .args(["build", "--profile", "dist"])
            .args(programs),
    )?;
    let stage = Stage::fill("package", "dist", &mut process::must)?;
    let mut packages = bundle(&stage, &formats, &mut process::must)?;
    check::all(&stage, &packages)?;
    packages.push(stage.archive()?);
    packages.extend(sbom::write(&stage)?);
    let shipped = ship(&stage, &packages)?;
    sizes::print(&stage, &shipped)?;
    if in_chroot {
        chroot::drive(&shipped)?;
    }
    Ok(())
}

/// Makes and checks the packages of the debug programs, and drives the window of one.
fn debug(in_chroot: bool) -> Outcome {
    // With the features of the tests, so that nothing is built twice.
    process::must(process::cargo().args(["build", "--workspace"]))?;
    let packages = check_debug(&mut process::must)?;
    match in_chroot {
        true => chroot::drive(&packages),
        false => Ok(()),
    }
}

/// What the tests do: packages of the debug programs, made and checked. They are stripped, or they would be ten times as large.
pub(crate) fn check_debug(run: Run<'_>) -> Outcome<Vec<PathBuf>> {
    let stage = Stage::fill("package-debug", "debug", run)?;
    let packages = bundle(&stage, FORMATS, run)?;
    check::all(&stage, &packages)?;
    Ok(packages)
}

/// Installs the bundler.
pub(crate) fn install(run: Run<'_>) -> Outcome {
    pins().npm_ci(run)
}

fn pins() -> Pins {
    Pins::npm("bundler", "src-tauri/packaging")
}

/// Makes the packages and returns their files.
fn bundle(stage: &Stage, formats: &[&str], run: Run<'_>) -> Outcome<Vec<PathBuf>> {
    install(run)?;
    let mut tauri = process::command("node");
    tauri
        .arg(pins().folder().join("node_modules/@tauri-apps/cli/tauri.js"))
        .args(["bundle", "--ci", "--no-sign", "--bundles", &formats.join(",")])
        .arg("--config")
        .arg(stage.config()?)
        .current_dir(place::root().join("src-tauri"))
        .env("CARGO_TARGET_DIR", stage.folder());
    // Packages of earlier versions would be taken for results.
    let folder = stage.folder().join("release").join("bundle");
    let _ = fs::remove_dir_all(&folder);
    run(&mut tauri)?;
    let mut packages = Vec::new();
    for format in formats {
        packages.extend(files(&folder.join(format))?.into_iter().filter(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            ["deb", "rpm", "AppImage", "dmg", "exe", "msi"]
                .iter()
                .any(|end| name.ends_with(&format!(".{end}")))
        }));
    }
    match packages.is_empty() {
        true => Err(format!("the bundler made no package in {}", folder.display())),
        false => Ok(packages),
    }
}

/// Copies the results to one folder, with their checksums.
fn ship(stage: &Stage, packages: &[PathBuf]) -> Outcome<Vec<PathBuf>> {
    let out = stage.folder().join("out");
    let _ = fs::remove_dir_all(&out);
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let mut shipped = Vec::new();
    for package in packages {
        let to = out.join(package.file_name().unwrap_or_default());
        copy(package, &to)?;
        shipped.push(to);
    }
    let mut sums = process::command("sha256sum");
    sums.current_dir(&out)
        .args(shipped.iter().filter_map(|file| file.file_name()));
    if let Some(sums) = process::answer(&mut sums) {
        write(&out.join("SHA256SUMS"), sums)?;
    }
    Ok(shipped)
}
