//! The documents of `docs/screens`, and what `docs/graphql.md` says of them.

use std::collections::BTreeMap;
use std::path::Path;

const GUIDE: &str = include_str!("../../docs/graphql.md");

/// A document, and the role that works with it, as its first lines say.
pub struct Document {
    pub text: String,
    pub role: String,
}

/// All documents by their names, such as `01-case-inbox`.
pub fn all() -> BTreeMap<String, Document> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/screens");
    let files = std::fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path());
    files
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a document");
            let (_, behind) = text.split_once("Role: ").unwrap_or_else(|| panic!("{}: no role", path.display()));
            let role = behind.split('.').next().expect("a role").to_owned();
            (path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned(), Document { text, role })
        })
        .collect()
}

/// Of each screen the role and the cost, by the rows of the guide's table: `| [Case inbox](screens/01-case-inbox.graphql) | ANALYST | 13,781 | … |`.
pub fn told() -> BTreeMap<String, (String, u64)> {
    let rows = GUIDE.lines().filter(|line| line.starts_with("| [") && line.contains("](screens/"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].split_once("(screens/").and_then(|(_, file)| file.split_once(".graphql")).expect("a file").0;
        let cost = cells[3].replace(',', "").parse().unwrap_or_else(|error| panic!("{row}: {error}"));
        (name.to_owned(), (cells[2].to_owned(), cost))
    })
    .collect()
}
