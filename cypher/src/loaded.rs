//! Read statements that come as data: from a folder, not from the program.
//!
//! A file is one statement with a header in the manner of our own ([`header`]). It becomes a [`LoadedStatement`] if it has no fault, and all faults are told
//! at once otherwise: what the rules refuse (`rules::Terms::READ_AS_DATA`), what header and statement say of parameters and columns, and how its rows
//! end. It runs as any other does, by [`crate::Engine::read_loaded`]: under its label, with its time limit at the database, and Neo4j is told that it only reads.
//!
//! **How rows end.** A statement says in its last `LIMIT` how many rows it has, or gets a `LIMIT` behind its end that is one more than it may have. That one row
//! says that there were more, and is not answered ([`LoadedRows::truncated`]).

mod folder;
mod header;
mod labels;
mod parameters;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use self::header::Header;
use self::labels::label_of;
use crate::embedded::syntax_of;
use crate::rules::{Terms, Tree, alias_of, check, nearest, whole_number};
use crate::scan::{name_at, without_comments};
use crate::statement::Text;
use crate::{Params, Row};

pub use folder::{CheckedFile, FolderError, check_folder};
pub use parameters::{Parameter, ParameterType};

/// The longest text of a statement.
const MOST_BYTES: usize = 64 * 1024;
/// How deep its brackets may be, and how many operators it may have: of each of both a parser goes a step deeper.
const MOST_NESTED: usize = 30;
const MOST_OPERATORS: usize = 500;

/// What is wrong, where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// `line 2`, `clause 3 (WITH)`, `$from`, or the whole: `the statement`.
    pub place: String,
    pub reason: String,
}

impl Fault {
    fn new(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { place: place.into(), reason: reason.into() }
    }

    /// Of the whole.
    fn of_statement(reason: impl Into<String>) -> Self {
        Self::new("the statement", reason)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.reason)
    }
}

/// A read statement that came as data and has no fault. Cheap to clone.
#[derive(Debug, Clone)]
pub struct LoadedStatement {
    label: &'static str,
    text: Arc<str>,
    header: Arc<Header>,
}

/// A statement with parameters that it can be run with.
#[derive(Debug, Clone)]
pub struct AskedStatement {
    pub(crate) statement: LoadedStatement,
    pub(crate) params: Params,
}

impl AskedStatement {
    /// `data/NAME`: what metrics, logs and errors call it.
    pub fn label(&self) -> &'static str {
        self.statement.label
    }
}

/// What a loaded statement answered.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedRows {
    pub rows: Vec<Row>,
    /// There were more than the statement may have. Which of them are here is said by the statement's `ORDER BY`, and by nothing without one.
    pub truncated: bool,
}

impl LoadedStatement {
    /// Reads a statement; every fault it has where it has one. Its label is `data/` and the name.
    pub fn read(name: &str, text: &str) -> Result<Self, Vec<Fault>> {
        if text.len() > MOST_BYTES {
            return Err(vec![Fault::of_statement(format!("it has {} bytes, and {MOST_BYTES} at most are allowed", text.len()))]);
        }
        // Before anything reads it that would go as deep.
        if let Some(fault) = too_deep(text) {
            return Err(vec![fault]);
        }
        let (header, body, mut faults) = Header::read(text);
        // Below as many lines as the header has, so that what a parser says of lines is so.
        let placed = format!("{}{body}", "\n".repeat(header.lines));
        faults.extend(check(&placed, Terms::READ_AS_DATA).iter().map(|violation| {
            let rule = violation.rule.number().map(|number| format!(" (rule {number})")).unwrap_or_default();
            Fault::new(violation.place.clone(), format!("{}{rule}", violation.reason))
        }));
        faults.extend(faults_of_parameters(&header, body));
        let mut ends_itself = false;
        if let Ok(syntax) = syntax_of(body) {
            faults.extend(faults_of_columns(&header, &syntax.clauses));
            match own_limit(&syntax.clauses, header.most_rows) {
                Ok(limited) => ends_itself = limited,
                Err(fault) => faults.push(fault),
            }
        }
        // A label lives as long as the program: only what can be run is given one.
        if !faults.is_empty() {
            return Err(faults);
        }
        let label = label_of(name).map_err(|fault| vec![fault])?;
        let limit = if ends_itself { String::new() } else { format!("\nLIMIT {}", header.most_rows + 1) };
        Ok(Self { label, text: format!("// {label}\n{}{limit}", body.trim_end()).into(), header: Arc::new(header) })
    }

    /// `data/NAME`: what metrics, logs and errors call it.
    pub fn label(&self) -> &'static str {
        self.label
    }

    /// What it is for, as its header says.
    pub fn purpose(&self) -> &str {
        &self.header.purpose
    }

    pub fn parameters(&self) -> &[Parameter] {
        &self.header.parameters
    }

    /// What a row of it has, in the order of its header.
    pub fn columns(&self) -> &[String] {
        &self.header.columns
    }

    /// How long it may take at the database.
    pub fn limit(&self) -> Duration {
        self.header.limit
    }

    /// How many rows it may answer with.
    pub fn most_rows(&self) -> usize {
        self.header.most_rows
    }

    /// The statement with these parameters; every fault where they are not those that it declares.
    pub fn given(&self, params: Params) -> Result<AskedStatement, Vec<Fault>> {
        let params = parameters::checked(&self.header.parameters, params)?;
        Ok(AskedStatement { statement: self.clone(), params })
    }

    pub(crate) fn text(&self) -> Text {
        Text::Loaded(Arc::clone(&self.text))
    }

    pub(crate) fn within_its_rows(&self, mut rows: Vec<Row>) -> LoadedRows {
        let truncated = rows.len() > self.header.most_rows;
        rows.truncate(self.header.most_rows);
        LoadedRows { rows, truncated }
    }
}

/// A statement that would take a parser, or what carries it out, deeper than a thread's stack goes. All of the text counts, whatever it is part of: what
/// detection asks is far from both bounds.
fn too_deep(text: &str) -> Option<Fault> {
    let (mut depth, mut deepest) = (0usize, 0usize);
    for sign in text.chars() {
        match sign {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    if deepest > MOST_NESTED {
        return Some(Fault::of_statement(format!("its brackets are {deepest} deep, and {MOST_NESTED} at most are allowed")));
    }
    let words = text.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
    let words =
        words.filter(|word| ["not", "and", "or", "xor", "in", "is", "case", "when"].iter().any(|operator| word.eq_ignore_ascii_case(operator)));
    let operators = words.count() + text.chars().filter(|sign| "+-*/%^=<>".contains(*sign)).count();
    (operators > MOST_OPERATORS).then(|| Fault::of_statement(format!("it has {operators} operators, and {MOST_OPERATORS} at most are allowed")))
}

/// What is used and not declared, or the other way round.
fn faults_of_parameters(header: &Header, body: &str) -> Vec<Fault> {
    let code = without_comments(body);
    let used: BTreeSet<&str> = code.match_indices('$').map(|(at, _)| name_at(&code, at + 1).trim_matches('`')).collect();
    let declared: BTreeSet<&str> = header.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let mut faults = Vec::new();
    for name in used.difference(&declared) {
        let near = nearest(name, declared.iter().copied()).map(|near| format!(" (`${near}`?)")).unwrap_or_default();
        faults.push(Fault::new(format!("${name}"), format!("it is not declared{near}: a line `// ${name}: TYPE` in the header")));
    }
    for name in declared.difference(&used) {
        faults.push(Fault::new(format!("${name}"), "it is declared, and the statement does not use it"));
    }
    faults
}

/// What is answered and not declared, or the other way round.
fn faults_of_columns(header: &Header, clauses: &Tree) -> Vec<Fault> {
    let Some(returned) = clauses.items().iter().rev().find(|clause| clause.is("Return")) else {
        return vec![Fault::of_statement("it answers with nothing: it ends with a `RETURN`")];
    };
    let mut faults = Vec::new();
    let mut answered = BTreeSet::new();
    for (at, item) in returned.get("0").get("items").items().iter().enumerate() {
        match alias_of(item) {
            Some(name) if answered.insert(name) => {}
            Some(name) => faults.push(Fault::new("RETURN", format!("two columns are called `{name}`"))),
            None => faults.push(Fault::new("RETURN", format!("column {} has no name: `… AS name`", at + 1))),
        }
    }
    let declared: BTreeSet<&str> = header.columns.iter().map(String::as_str).collect();
    for name in answered.difference(&declared) {
        faults.push(Fault::new("RETURN", format!("column `{name}` is not in the header's `// returns: …`")));
    }
    for name in declared.difference(&answered) {
        let near = nearest(name, answered.iter().copied()).map(|near| format!(" (`{near}`?)")).unwrap_or_default();
        faults.push(Fault::new("// returns", format!("the statement does not answer with a column `{name}`{near}")));
    }
    faults
}

/// Whether a statement ends with a `LIMIT` of its own, which is a number and no more than it may have.
fn own_limit(clauses: &Tree, most_rows: usize) -> Result<bool, Fault> {
    let behind = clauses.items().iter().rev().take_while(|clause| !clause.is("Return"));
    let Some(limit) = behind.into_iter().find(|clause| clause.is("Limit")) else { return Ok(false) };
    match whole_number(limit.get("0").get("count")) {
        Some(rows) if usize::try_from(rows).is_ok_and(|rows| rows <= most_rows) => Ok(true),
        Some(rows) => {
            Err(Fault::new("LIMIT", format!("{rows} rows are more than the {most_rows} that it may have: `// rows: …` in the header says how many")))
        }
        None => Err(Fault::new("LIMIT", "the last one is a number; a parameter limits rows behind a `WITH` before the `RETURN`")),
    }
}
