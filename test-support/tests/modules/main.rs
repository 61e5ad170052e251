//! The modules of a crate have an order, which its `lib.rs` or `main.rs` states. A module names only modules below it. The exceptions are counted here for each
//! crate, and their number may only fall.

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use source::{declared, paths};

/// Lines of the longest file.
const LONGEST: usize = 500;
/// Lines of the largest crate.
const LARGEST: usize = 9_000;
/// The beginning of the comment that states the order.
const STATED: &str = "// Modules, the lowest first:";

/// The exceptions of a crate.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Left {
    /// Modules of the top level that a file names although they stand above it, once for each file that does.
    upward: usize,
    /// Files that know themselves by way of others.
    in_circles: usize,
    /// Files that are longer than [`LONGEST`] lines, tests among them.
    long_files: usize,
    /// Lines beyond [`LARGEST`], in hundreds that have begun, tests left out.
    hundreds_beyond: usize,
}

/// The folder of each crate, and what is left there. A number that is too large or too small fails: lower it with the code.
const LEFT: &[(&str, Left)] = &[
    (".", Left { upward: 1, in_circles: 36, long_files: 2, hundreds_beyond: 5 }),
    ("graph-schema", Left { upward: 7, in_circles: 24, long_files: 0, hundreds_beyond: 10 }),
    ("analytics", Left { upward: 0, in_circles: 8, long_files: 0, hundreds_beyond: 0 }),
    ("detection", Left { upward: 7, in_circles: 26, long_files: 0, hundreds_beyond: 0 }),
    ("risk", Left { upward: 0, in_circles: 0, long_files: 0, hundreds_beyond: 0 }),
    ("cypher", Left { upward: 2, in_circles: 28, long_files: 1, hundreds_beyond: 70 }),
    ("queries", Left { upward: 0, in_circles: 0, long_files: 0, hundreds_beyond: 0 }),
    ("marking", Left { upward: 0, in_circles: 0, long_files: 0, hundreds_beyond: 0 }),
    ("resolvers", Left { upward: 165, in_circles: 186, long_files: 0, hundreds_beyond: 340 }),
    ("rest-compat", Left { upward: 7, in_circles: 14, long_files: 0, hundreds_beyond: 0 }),
    ("graphql-http", Left { upward: 0, in_circles: 0, long_files: 0, hundreds_beyond: 0 }),
    ("graphql-service", Left { upward: 0, in_circles: 0, long_files: 0, hundreds_beyond: 0 }),
    ("graphql-api", Left { upward: 26, in_circles: 36, long_files: 0, hundreds_beyond: 0 }),
    ("graphql-mutations", Left { upward: 0, in_circles: 0, long_files: 0, hundreds_beyond: 0 }),
    ("sample", Left { upward: 1, in_circles: 18, long_files: 0, hundreds_beyond: 0 }),
    ("screening", Left { upward: 0, in_circles: 11, long_files: 0, hundreds_beyond: 0 }),
    ("test-support", Left { upward: 0, in_circles: 2, long_files: 0, hundreds_beyond: 0 }),
    ("bench", Left { upward: 0, in_circles: 2, long_files: 0, hundreds_beyond: 0 }),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A crate as files by module: `[]` is `lib.rs` or `main.rs`.
struct Crate {
    folder: PathBuf,
    files: BTreeMap<Vec<String>, File>,
}

struct File {
    text: String,
    children: Vec<String>,
    /// Paths that its `use`s bring in, by name.
    bound: BTreeMap<String, Vec<String>>,
    /// All that it names.
    paths: Vec<Vec<String>>,
}

impl Crate {
    fn read(folder: &Path) -> Self {
        let source = folder.join("src");
        let mut files = BTreeMap::new();
        for path in rust_files(&source) {
            let inside = path.strip_prefix(&source).expect("below src").with_extension("");
            let mut module: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            module.pop_if(|last| ["lib", "main", "mod"].contains(&last.as_str()));
            if !module.iter().any(|name| name == "tests" || name.ends_with("_tests")) {
                files.insert(module, File::of(fs::read_to_string(path).expect("a file of source")));
            }
        }
        Self { folder: folder.to_owned(), files }
    }

    /// The order that the crate states.
    fn order(&self) -> Vec<String> {
        let text = &self.files[&Vec::new()].text;
        let (_, rest) = text.split_once(STATED).unwrap_or_default();
        let mut lines = rest.lines();
        let first = lines.next().unwrap_or_default();
        let more = lines.map_while(|line| line.strip_prefix("//"));
        std::iter::once(first).chain(more).flat_map(|line| line.split([' ', ',', '.'])).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// The file in which stands what a path names, as seen from a module; `None` for what is not of this crate.
    fn file_of(&self, from: &[String], path: &[String], hops: usize) -> Option<Vec<String>> {
        let mut module = from.to_vec();
        let mut segments = path.iter().map(String::as_str).peekable();
        match segments.peek().copied() {
            Some("crate") => {
                module.clear();
                segments.next();
            }
            Some("self") => {
                segments.next();
            }
            Some("super") => {}
            Some(first) if self.files[from].children.iter().any(|child| child == first) => {}
            _ => return None,
        }
        while segments.next_if_eq(&"super").is_some() {
            module.pop()?;
        }
        while let Some(segment) = segments.next() {
            let below = [module.as_slice(), &[segment.to_owned()]].concat();
            if self.files.contains_key(&below) {
                module = below;
                continue;
            }
            // An item that the module imports belongs to the file that it comes from.
            let shown = self.files[&module].bound.get(segment).filter(|_| hops > 0);
            return match shown.map(|shown| [shown.as_slice(), &segments.map(str::to_owned).collect::<Vec<_>>()].concat()) {
                Some(shown) => self.file_of(&module, &shown, hops - 1),
                None => Some(module),
            };
        }
        Some(module)
    }

    /// The files that each file names.
    fn named(&self) -> BTreeMap<&[String], BTreeSet<Vec<String>>> {
        let of = |(module, file): (&Vec<String>, &File)| {
            file.paths.iter().filter_map(|path| self.file_of(module, path, 8)).filter(|named| named != module).collect::<BTreeSet<_>>()
        };
        self.files.iter().map(|file| (file.0.as_slice(), of(file))).collect()
    }

    /// Which file names which module above it, in words.
    fn upward(&self) -> Vec<String> {
        let order = self.order();
        // Items of the root are above all modules.
        let place = |module: &[String]| module.first().map_or(order.len(), |top| order.iter().position(|name| name == top).unwrap_or(order.len()));
        let mut upward = BTreeSet::new();
        for (module, named) in self.named() {
            let above = named.iter().filter(|named| place(named) > place(module));
            upward.extend(above.map(|named| format!("{} names {}", module.join("::"), named.first().map_or("the root", String::as_str))));
        }
        upward.into_iter().collect()
    }

    /// The files from which a way leads back to themselves.
    fn in_circles(&self) -> Vec<String> {
        let named = self.named();
        let circles = |begin: &[String]| {
            let (mut seen, mut next) = (BTreeSet::new(), vec![begin.to_vec()]);
            while let Some(module) = next.pop() {
                next.extend(named[module.as_slice()].iter().filter(|module| seen.insert((*module).clone())).cloned());
            }
            seen.contains(begin)
        };
        named.keys().filter(|module| circles(module)).map(|module| module.join("::")).collect()
    }

    fn long_files(&self) -> Vec<String> {
        let folders = ["src", "tests", "examples", "benches"].map(|folder| self.folder.join(folder));
        let files = folders.iter().filter(|folder| folder.is_dir()).flat_map(|folder| rust_files(folder));
        files.filter(|path| lines_of(path) > LONGEST).map(|path| path.display().to_string()).collect()
    }

    fn left(&self) -> Left {
        let lines: usize = self.files.values().map(|file| file.text.lines().count()).sum();
        Left {
            upward: self.upward().len(),
            in_circles: self.in_circles().len(),
            long_files: self.long_files().len(),
            hundreds_beyond: lines.saturating_sub(LARGEST).div_ceil(100),
        }
    }
}

impl File {
    fn of(text: String) -> Self {
        let children = declared(&text);
        let (mut bound, mut all) = (BTreeMap::new(), Vec::new());
        for named in paths(&text, &children) {
            bound.extend(named.bound.map(|name| (name, named.path.clone())));
            all.push(named.path);
        }
        Self { text, children, bound, paths: all }
    }
}

fn lines_of(path: &Path) -> usize {
    fs::read_to_string(path).expect("a file of source").lines().count()
}

/// All Rust files below a folder, in the order of their names.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    let below = |path: PathBuf| match path.extension() {
        Some(extension) if extension == "rs" => vec![path],
        // A crate that a test builds has its target folder beside it.
        _ if path.is_dir() && !path.ends_with("target") => rust_files(&path),
        _ => Vec::new(),
    };
    entries.into_iter().flat_map(below).collect()
}

/// The folders of all crates of the workspace.
fn crates() -> Vec<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
    let members = manifest.lines().find_map(|line| line.strip_prefix("members = [")).expect("members in one line");
    let names = members.trim_end_matches(']').split(',').map(|name| name.trim().trim_matches('"').to_owned());
    std::iter::once(".".to_owned()).chain(names).collect()
}

#[test]
fn each_crate_states_the_order_of_all_its_modules() {
    for name in crates() {
        let crate_read = Crate::read(&root().join(&name));
        let mut stated = crate_read.order();
        let mut declared = crate_read.files[&Vec::new()].children.clone();
        if declared.len() < 2 && stated.is_empty() {
            continue;
        }
        stated.sort();
        declared.sort();
        let without = |names: &[String], others: &[String]| names.iter().filter(|name| !others.contains(name)).cloned().collect::<Vec<_>>();
        let (missing, unknown) = (without(&declared, &stated), without(&stated, &declared));
        assert_eq!(stated, declared, "{name}: `{STATED} …` names each module once; it lacks {missing:?} and has {unknown:?} besides");
    }
}

#[test]
fn what_is_left_only_becomes_less() {
    let known: Vec<&str> = LEFT.iter().map(|(name, _)| *name).collect();
    assert_eq!(known, crates(), "a row for each crate, in the order of the workspace");
    let mut faults = Vec::new();
    for (name, left) in LEFT {
        let crate_read = Crate::read(&root().join(name));
        let now = crate_read.left();
        if now == *left {
            continue;
        }
        faults.push(format!("{name}: {now:?} is now so, the table says {left:?}"));
        for (what, all) in [("upward", crate_read.upward()), ("in circles", crate_read.in_circles()), ("long", crate_read.long_files())] {
            faults.push(format!("  {what}: {}", all.join(", ")));
        }
    }
    assert!(faults.is_empty(), "less of it: lower the table; more of it: put it elsewhere\n{}", faults.join("\n"));
}

#[test]
fn what_runs_upward_or_in_a_circle_is_found() {
    let files = [
        ("", "// Modules, the lowest first: low middle\n// high.\n\nmod high;\nmod low;\nmod middle;\nuse high::Shown;\nfn own() {}\n"),
        ("low", "use crate::middle::{A, B};\nfn f() { crate::own(); super::middle::g(); }\n"),
        ("middle", "mod part;\nuse self::part::P;\nuse crate::low::L;\nuse super::Shown;\n"),
        ("middle::part", "use super::super::low::L;\nuse super::P;\n"),
        ("high", "use crate::{low::L, middle};\n"),
    ];
    let module = |name: &str| name.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let files = files.map(|(name, text)| (module(name), File::of(text.to_owned())));
    let read = Crate { folder: PathBuf::new(), files: files.into_iter().collect() };
    assert_eq!(read.order(), ["low", "middle", "high"]);
    assert_eq!(read.upward(), ["low names middle", "low names the root", "middle names high"]);
    assert_eq!(read.in_circles(), ["", "high", "low", "middle", "middle::part"]);
}
