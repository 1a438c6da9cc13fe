//! The files of a package as they are installed, in a folder outside the clone: the programs, and what is made from them.

use std::fs;
use std::path::{Path, PathBuf};

use super::files::{Run, copy, files, write};
use crate::{Outcome, place, process};

/// The folder with everything that goes into a package.
pub(crate) struct Stage {
    folder: PathBuf,
    version: String,
}

impl Stage {
    /// Fills the folder `name` of the build folder with the programs of `profile`, stripped.
    pub(super) fn fill(name: &str, profile: &str, run: Run<'_>) -> Outcome<Self> {
        let folder = place::target().join(name);
        for old in ["bin", "share", "zsh", "release"] {
            let _ = fs::remove_dir_all(folder.join(old));
        }
        let mut stage = Self {
            folder,
            version: String::new(),
        };
        // Tauri's bundler looks for the window's program in the folder of the profile `release`.
        copy(&place::binary(profile, "patchbay-app"), &stage.window())?;
        copy(&place::binary(profile, "patchbay"), &stage.program())?;
        if cfg!(unix) {
            run(process::command("strip").arg(stage.window()).arg(stage.program()))?;
        }
        stage.version = stage
            .answer(&["--version"])?
            .trim()
            .trim_start_matches("patchbay ")
            .to_owned();
        stage.completions()?;
        stage.manual(run)?;
        stage.fixed(run)?;
        Ok(stage)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn version(&self) -> &str {
        &self.version
    }

    pub(super) fn window(&self) -> PathBuf {
        let name = format!("patchbay-app{}", std::env::consts::EXE_SUFFIX);
        self.folder.join("release").join(name)
    }

    pub(super) fn program(&self) -> PathBuf {
        let name = format!("patchbay{}", std::env::consts::EXE_SUFFIX);
        self.folder.join("bin").join(name)
    }

    /// A folder below `share`, as installed.
    fn share(&self, path: &str) -> PathBuf {
        self.folder.join("share").join(path)
    }

    fn answer(&self, args: &[&str]) -> Outcome<String> {
        process::output(process::command(self.program()).args(args))
    }

    fn completions(&self) -> Outcome {
        let places = [
            ("bash", self.share("bash-completion/completions/patchbay")),
            ("fish", self.share("fish/vendor_completions.d/patchbay.fish")),
            // Debian and Fedora have different folders for it.
            ("zsh", self.folder.join("zsh").join("_patchbay")),
        ];
        for (shell, file) in places {
            write(&file, self.answer(&["completions", shell])?)?;
        }
        Ok(())
    }

    fn manual(&self, run: Run<'_>) -> Outcome {
        let folder = self.share("man/man1");
        self.answer(&["man", &folder.to_string_lossy()])?;
        match cfg!(unix) {
            // Without name and time, so that the same page is the same file.
            true => run(process::command("gzip").args(["-9n"]).args(files(&folder)?)),
            false => Ok(()),
        }
    }

    /// What does not depend on the programs.
    fn fixed(&self, run: Run<'_>) -> Outcome {
        let root = place::root();
        let packaging = root.join("src-tauri").join("packaging");
        let doc = |name: &str| self.share("doc/patchbay").join(name);
        let mime = "mime/packages/dev.patchbay.Patchbay.xml";
        copy(&packaging.join("recording.xml"), &self.share(mime))?;
        let icon = "icons/hicolor/scalable/apps/patchbay-app.svg";
        copy(&root.join("icons").join("icon.svg"), &self.share(icon))?;
        copy(&packaging.join("copyright"), &doc("copyright"))?;
        copy(&root.join("LICENSE-MIT"), &doc("LICENSE-MIT"))?;
        copy(&root.join("LICENSE-APACHE"), &doc("LICENSE-APACHE"))?;
        copy(&root.join("CHANGELOG.md"), &doc("changelog"))?;
        match cfg!(unix) {
            true => run(process::command("gzip").arg("-9n").arg(doc("changelog"))),
            false => Ok(()),
        }
    }

    /// The file that completes `tauri.conf.json` with the paths of this folder.
    pub(super) fn config(&self) -> Outcome<PathBuf> {
        let quoted = |path: &Path| format!("{:?}", path.to_string_lossy());
        let files = |zsh: &str| {
            format!(
                r#"{{"files": {{"/usr/bin/patchbay": {}, "/usr/share": {}, "{zsh}/_patchbay": {}}}}}"#,
                quoted(&self.program()),
                quoted(&self.folder.join("share")),
                quoted(&self.folder.join("zsh").join("_patchbay")),
            )
        };
        let bundle = match cfg!(target_os = "linux") {
            true => format!(
                r#""linux": {{"deb": {}, "rpm": {}, "appimage": {}}}"#,
                files("/usr/share/zsh/vendor-completions"),
                files("/usr/share/zsh/site-functions"),
                files("/usr/share/zsh/site-functions"),
            ),
            // The bundler wants the name of the system at the end of the program's name, and takes it off.
            false => format!(r#""externalBin": [{}]"#, quoted(&self.for_this_system()?)),
        };
        let file = self.folder.join("bundle.json");
        write(&file, format!(r#"{{"bundle": {{{bundle}}}}}"#))?;
        Ok(file)
    }

    fn for_this_system(&self) -> Outcome<PathBuf> {
        let version = process::output(process::command("rustc").arg("-vV"))?;
        let triple = version
            .lines()
            .find_map(|line| line.strip_prefix("host: "))
            .ok_or("`rustc -vV` does not name this system")?;
        let suffix = std::env::consts::EXE_SUFFIX;
        copy(
            &self.program(),
            &self.folder.join("bin").join(format!("patchbay-{triple}{suffix}")),
        )?;
        Ok(self.folder.join("bin").join("patchbay"))
    }

    /// The program `patchbay` with its manual and completions, for systems without a package.
    pub(super) fn archive(&self) -> Outcome<PathBuf> {
        let system = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        let file = self
            .folder
            .join(format!("patchbay-{}-{system}.tar.gz", self.version));
        let mut tar = process::command("tar");
        tar.arg("-czf")
            .arg(&file)
            .arg("-C")
            .arg(&self.folder)
            // The file name has a suffix on Windows.
            .arg(format!("bin/patchbay{}", std::env::consts::EXE_SUFFIX))
            .args(["share", "zsh"]);
        process::must(&mut tar)?;
        Ok(file)
    }
}
