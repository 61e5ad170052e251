//! Lists the files of the built-in pack of risk rules, so that a new rule is a folder and no line of code.
//!
//! Cargo looks at the folder before each build; a macro that reads a folder would miss files that came later.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=rules");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let mut files = Vec::new();
    collect(&root.join("rules"), &mut files)?;
    files.sort();
    let mut list = String::from("[\n");
    for file in files {
        let below = file.strip_prefix(root.join("rules")).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        // A text takes whatever is written.
        let _ = writeln!(list, "    ({below:?}, include_str!({:?})),", file.display().to_string());
    }
    list.push_str("]\n");
    fs::write(PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?).join("built_in.rs"), list)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => collect(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}
