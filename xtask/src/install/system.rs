//! System packages: installed on Debian and its derivatives; elsewhere a message lists what to install.

use std::collections::HashSet;
use std::env;
use std::io::IsTerminal as _;
use std::process::Stdio;

use super::browser;
use crate::{Outcome, process};

/// Needed by every build: compiles C (SQLite) and links.
const BUILD: &[&str] = &["build-essential", "pkg-config"];
/// Needed to build and show the window.
const WINDOW: &[&str] = &[
    "file",
    "libwebkit2gtk-4.1-dev",
    "librsvg2-dev",
    "libdbus-1-dev",
    "xdg-utils",
    "fonts-dejavu-core",
    "fonts-noto-color-emoji",
];
/// A package of Debian, and what of it is looked for on systems where packages have other names.
struct Needed {
    package: &'static str,
    programs: &'static [&'static str],
    /// Modules of Python.
    modules: &'static [&'static str],
}

const fn needed(package: &'static str, programs: &'static [&'static str]) -> Needed {
    Needed {
        package,
        programs,
        modules: &[],
    }
}

/// Needed to test the window and the browser front under a virtual display, and to run the Python peers.
const TEST: &[Needed] = &[
    needed("xvfb", &["xvfb-run", "Xvfb"]),
    needed("xauth", &["xauth"]),
    needed("dbus", &["dbus-run-session", "dbus-daemon"]),
    needed("gnome-keyring", &["gnome-keyring-daemon"]),
    needed("webkit2gtk-driver", &["WebKitWebDriver"]),
    needed("imagemagick", &["import"]),
    needed("xdotool", &["xdotool"]),
    needed("x11-utils", &[]),
    needed("openbox", &["openbox"]),
    Needed {
        package: "python3-gi",
        programs: &[],
        modules: &["gi"],
    },
    needed("gir1.2-gtk-3.0", &[]),
    needed(browser::PACKAGE, &[]),
    Needed {
        package: "python3-venv",
        programs: &["python3"],
        modules: &["venv", "ensurepip"],
    },
    needed("git", &["git"]),
    needed("procps", &["ps"]),
    // They look into the packages.
    needed("desktop-file-utils", &["desktop-file-validate"]),
    needed("man-db", &["man"]),
    needed("rpm", &["rpm"]),
    needed("shared-mime-info", &["update-mime-database"]),
    needed("dpkg", &["dpkg-deb"]),
];

/// The verb's purpose, which decides what is needed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Build and run `patchbay serve`.
    Browser,
    /// Build and run the window.
    Window,
    /// Build all and test all.
    Test,
}

impl Purpose {
    fn packages(self) -> Vec<&'static str> {
        match self {
            Purpose::Browser => BUILD.to_vec(),
            Purpose::Window => [BUILD, WINDOW].concat(),
            Purpose::Test => {
                let all = [BUILD, WINDOW].concat().into_iter();
                all.chain(TEST.iter().map(|needed| needed.package)).collect()
            }
        }
    }
}

/// Installs what is missing, or fails with a message that lists what to install.
pub(crate) fn ensure(purpose: Purpose) -> Outcome {
    if !cfg!(target_os = "linux") {
        return elsewhere(purpose);
    }
    let Some(installed) = installed() else {
        return elsewhere(purpose);
    };
    let missing: Vec<&str> = purpose
        .packages()
        .into_iter()
        .filter(|package| !installed.contains(*package))
        .collect();
    let missing = available(missing);
    if missing.is_empty() {
        Ok(())
    } else {
        install(missing)
    }
}

/// Without the browser where the package lists do not have it: Ubuntu, where Playwright installs its own.
fn available(mut missing: Vec<&str>) -> Vec<&str> {
    missing.retain(|&package| package != browser::PACKAGE || offered(package) || !offered("git"));
    missing
}

/// Whether the package lists of this system have `package`: false for every package before the first `apt-get update`.
fn offered(package: &str) -> bool {
    process::answer(process::command("apt-cache").args(["show", package]))
        .is_some_and(|text| !text.trim().is_empty())
}

/// All installed Debian packages, or `None` on a system that has others. It may have dpkg too: the tests of the packages need it.
fn installed() -> Option<HashSet<String>> {
    process::which("apt-get")?;
    let list = process::answer(
        process::command("dpkg-query").args(["-W", "-f=${binary:Package} ${db:Status-Status}\n"]),
    )?;
    installed_in(&list)
}

/// The installed packages in the output of `dpkg-query`; `None` if there is none.
fn installed_in(list: &str) -> Option<HashSet<String>> {
    let names = list.lines().filter_map(|line| line.strip_suffix(" installed"));
    let names: HashSet<String> = names
        .map(|name| name.split(':').next().unwrap_or(name).to_owned())
        .collect();
    (!names.is_empty()).then_some(names)
}

fn install(missing: Vec<&str>) -> Outcome {
    let by_hand = format!(
        "these system packages are missing. Install them, then start again:\n    sudo apt-get update && sudo apt-get install -y {}",
        missing.join(" ")
    );
    let Some(prefix) = privilege() else {
        return Err(by_hand);
    };
    eprintln!("Installing system packages: {}", missing.join(" "));
    let apt = |args: &[&str]| {
        let mut words = prefix.to_vec();
        words.extend(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        words.extend(args);
        process::must(process::command(words[0]).args(&words[1..]))
    };
    apt(&["update"])
        .and_then(|()| {
            let options = vec!["install", "-y", "--no-install-recommends"];
            apt(&[options, available(missing)].concat())
        })
        .map_err(|error| process::advised(error, &by_hand))
}

/// The prefix that runs a command as root: empty for root, `sudo` if it can be used, `None` otherwise.
fn privilege() -> Option<&'static [&'static str]> {
    let user = process::answer(process::command("id").arg("-u"));
    if user.as_deref().map(str::trim) == Some("0") {
        return Some(&[]);
    }
    process::which("sudo")?;
    let silent = process::answer(process::command("sudo").args(["-n", "true"])).is_some();
    if silent || std::io::stdin().is_terminal() {
        Some(&["sudo"])
    } else {
        None
    }
}

/// Not Debian: checks for the essential tools and lists what to install if they are missing.
fn elsewhere(purpose: Purpose) -> Outcome {
    let has = |program: &str, args: &[&str]| {
        let mut command = process::command(program);
        command
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let ready = match env::consts::OS {
        "macos" => has("xcode-select", &["-p"]),
        // This program could not have been built without a linker, and WebView2 is part of Windows 11.
        "windows" => true,
        _ => {
            let compiler = has("cc", &["--version"]) && has("pkg-config", &["--version"]);
            let window = has(
                "pkg-config",
                &["--exists", "webkit2gtk-4.1", "librsvg-2.0", "dbus-1"],
            );
            compiler && (window || purpose == Purpose::Browser)
        }
    };
    if !ready {
        return Err(format!("system packages are missing. {}", advice()));
    }
    if purpose != Purpose::Test || !cfg!(target_os = "linux") {
        return Ok(());
    }
    let found = |program: &str| process::which(program).is_some();
    let imported = |module: &str| has("python3", &["-c", &format!("import {module}")]);
    let missing = missing_for_tests(found, imported, browser::find().is_some());
    match missing.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "what the tests need is missing. Install the packages that have it, then start again: {}",
            missing.join(", ")
        )),
    }
}

/// What of [`TEST`] is missing on a Linux that is not Debian, as programs and modules. `browser`: whether there is one.
fn missing_for_tests(
    found: impl Fn(&str) -> bool,
    imported: impl Fn(&str) -> bool,
    browser: bool,
) -> Vec<String> {
    let programs = TEST.iter().flat_map(|needed| needed.programs);
    let programs = programs.filter(|program| !found(program));
    let programs = programs.map(|program| format!("`{program}`"));
    let modules = TEST.iter().flat_map(|needed| needed.modules);
    let modules = modules.filter(|module| !imported(module));
    let modules = modules.map(|module| format!("the Python module `{module}`"));
    // Playwright installs one with its libraries on Debian and its derivatives only.
    let browser = (!browser).then(|| "Chromium".to_owned());
    programs.chain(modules).chain(browser).collect()
}

/// What to install by hand, per system.
pub(crate) fn advice() -> String {
    let lists = [
        ("Debian, Ubuntu", format!("sudo apt-get install {}", [BUILD, WINDOW].concat().join(" "))),
        (
            "Fedora",
            "sudo dnf install gcc gcc-c++ make pkgconf-pkg-config file webkit2gtk4.1-devel librsvg2-devel dbus-devel".into(),
        ),
        ("Arch", "sudo pacman -S --needed base-devel file webkit2gtk-4.1 librsvg dbus".into()),
        ("macOS", "xcode-select --install".into()),
        (
            "Windows",
            "Visual Studio Build Tools with \"Desktop development with C++\"; before Windows 11 also the WebView2 runtime".into(),
        ),
    ];
    let lines: Vec<String> = lists
        .iter()
        .map(|(system, what)| format!("    {system:<16}{what}"))
        .collect();
    format!(
        "Install, besides Rust and Node 20.19 or newer:\n{}",
        lines.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_whose_dpkg_installed_nothing_is_not_debian() {
        assert_eq!(installed_in(""), None);
        assert_eq!(installed_in("xvfb config-files\n"), None);
        let installed = installed_in("git installed\nlibdbus-1-dev:amd64 installed\nrpm config-files\n");
        let expected = ["git", "libdbus-1-dev"].map(str::to_owned);
        assert_eq!(installed, Some(HashSet::from(expected)));
    }

    #[test]
    fn what_the_tests_need_is_named_where_packages_have_other_names() {
        let missing = missing_for_tests(|_| false, |_| false, false);
        for name in [
            "`xdotool`",
            "`WebKitWebDriver`",
            "the Python module `gi`",
            "Chromium",
        ] {
            assert!(missing.iter().any(|other| other == name), "{missing:?}");
        }
        let missing = missing_for_tests(|program| program != "openbox", |_| true, true);
        assert_eq!(missing, ["`openbox`"]);
    }
}
