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

/// What is packaged.
#[derive(Debug, PartialEq, Eq)]
struct Request<'a> {
    formats: Vec<&'a str>,
    /// The debug programs, only to check their packages.
    is_debug: bool,
    in_chroot: bool,
}

impl<'a> Request<'a> {
    fn parse(args: &'a [String]) -> Outcome<Self> {
        let mut request = Self {
            formats: FORMATS.to_vec(),
            is_debug: false,
            in_chroot: false,
        };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match (arg.as_str(), args.len()) {
                ("--formats", 1..) => {
                    request.formats = args.next().map_or("", |list| list).split(',').collect();
                }
                ("--chroot", _) => request.in_chroot = true,
                ("--debug", _) => request.is_debug = true,
                _ => {
                    return Err(format!(
                        "`{arg}` is not known here. Usage: package [--debug] [--formats LIST] [--chroot]"
                    ));
                }
            }
        }
        Ok(request)
    }

    fn build(&self) -> Outcome {
        let mut cargo = process::cargo();
        cargo.arg("build");
        process::must(match self.is_debug {
            // With the features of the tests, so that nothing is built twice.
            true => cargo.arg("--workspace"),
            false => cargo.args([
                "--profile",
                "dist",
                "--package",
                "patchbay-app",
                "--package",
                "patchbay-cli",
            ]),
        })
    }

    /// Makes the packages of the built programs and checks them. Debug programs are stripped, or they would be ten times as large.
    fn make(&self, run: Run<'_>) -> Outcome<(Stage, Vec<PathBuf>)> {
        let (folder, profile) = match self.is_debug {
            true => ("package-debug", "debug"),
            false => ("package", "dist"),
        };
        let stage = Stage::fill(folder, profile, run)?;
        let packages = bundle(&stage, &self.formats, run)?;
        check::all(&stage, &packages)?;
        Ok((stage, packages))
    }
}

pub(crate) fn run(args: &[String]) -> Outcome {
    let request = Request::parse(args)?;
    node::check_version()?;
    system::ensure(Purpose::Test)?;
    node::install(&place::root().join("ui"), process::must)?;
    node::build_ui(process::must)?;
    request.build()?;
    let (stage, mut packages) = request.make(&mut process::must)?;
    if !request.is_debug {
        packages.push(stage.archive()?);
        packages.extend(sbom::write(&stage)?);
        packages = ship(&stage, &packages)?;
        sizes::print(&stage, &packages)?;
    }
    match request.in_chroot {
        true => chroot::drive(&packages),
        false => Ok(()),
    }
}

/// What the tests do: packages of the debug programs, made and checked.
pub(crate) fn check_debug(run: Run<'_>) -> Outcome {
    let request = Request {
        formats: FORMATS.to_vec(),
        is_debug: true,
        in_chroot: false,
    };
    request.make(run).map(|_| ())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_those_asked_for_also_of_debug_programs() {
        let args = ["--debug", "--formats", "rpm,appimage"].map(str::to_owned);
        let expected = Request {
            formats: vec!["rpm", "appimage"],
            is_debug: true,
            in_chroot: false,
        };
        assert_eq!(Request::parse(&args), Ok(expected));
        assert_eq!(Request::parse(&[]).unwrap().formats, FORMATS);
        assert!(Request::parse(&["--formats".to_owned()]).is_err(), "no list");
    }
}
