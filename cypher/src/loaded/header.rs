//! The comments at the top of a statement that comes as data.
//!
//! ```text
//! // Accounts that many others pay to within a window.
//! // $actors: LIST<STRING>, ids of those who are monitored
//! // $from: INTEGER, the window's begin in epoch milliseconds
//! // returns: actor, anchor, transactions (ids), measures (senders)
//! // limit: 30s
//! // rows: 5000
//! ```
//!
//! What it is for comes first. A line that begins with three blanks goes on with the one before.

use std::time::Duration;

use super::Fault;
use super::parameters::{Parameter, ParameterType};
use crate::scan::is_in_a_name;

/// How long a statement may take that does not say.
const USUAL_LIMIT: Duration = Duration::from_secs(10);
/// How long one may say.
const LONGEST_LIMIT: Duration = Duration::from_secs(50);
/// How many rows a statement may have that does not say.
const USUAL_ROWS: usize = 10_000;
/// How many one may say.
const MOST_ROWS: usize = 100_000;
/// How many parameters and columns there may be.
const MOST_NAMES: usize = 50;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Header {
    pub(super) purpose: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) columns: Vec<String>,
    pub(super) limit: Duration,
    pub(super) most_rows: usize,
    /// How many lines it has.
    pub(super) lines: usize,
}

/// A line of the header with those that go on with it, and the number of its first.
struct Entry {
    line: usize,
    text: String,
}

impl Header {
    /// The header, what stands below it, and what is wrong with the header.
    pub(super) fn read(text: &str) -> (Self, &str, Vec<Fault>) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (entries, body) = entries(text);
        let lines = text[..text.len() - body.len()].matches('\n').count();
        let mut header =
            Self { purpose: String::new(), parameters: Vec::new(), columns: Vec::new(), limit: USUAL_LIMIT, most_rows: USUAL_ROWS, lines };
        let mut faults = Vec::new();
        let mut said: Vec<&str> = Vec::new();
        for entry in &entries {
            let key = entry.key();
            if let Some(key) = key.filter(|key| *key != "$") {
                if said.contains(&key) {
                    faults.push(entry.fault(format!("`{key}:` is said a second time")));
                    continue;
                }
                said.push(key);
            }
            if let Err(reason) = header.take(key, &entry.text, said.is_empty() && header.parameters.is_empty()) {
                faults.push(entry.fault(reason));
            }
        }
        if header.purpose.is_empty() {
            faults.push(Fault::new("line 1", "the header does not say what the statement is for: `// Accounts that …`"));
        }
        if !said.contains(&"returns") {
            faults.push(Fault::new("the header", "it does not say which columns are answered: `// returns: actor, anchor`"));
        }
        (header, body, faults)
    }

    fn take(&mut self, key: Option<&str>, text: &str, is_purpose: bool) -> Result<(), String> {
        let value = |key: &str| text[key.len() + 1..].trim();
        match key {
            Some("$") => self.take_parameter(text),
            Some("returns") => self.take_columns(value("returns")),
            Some("limit") => {
                self.limit = limit(value("limit"))?;
                Ok(())
            }
            Some("rows") => {
                let rows = value("rows").parse().ok().filter(|rows| (1..=MOST_ROWS).contains(rows));
                self.most_rows = rows.ok_or_else(|| format!("the number of rows is between 1 and {MOST_ROWS}: `// rows: {USUAL_ROWS}`"))?;
                Ok(())
            }
            Some("allows") => Err("reasons why a rule may be broken do not count in a statement that is loaded".to_owned()),
            _ if is_purpose => {
                self.purpose = format!("{} {text}", self.purpose).trim().to_owned();
                Ok(())
            }
            _ => Err("it is no line of a header: `$name: TYPE`, `returns:`, `limit:`, `rows:`; what goes on begins with three blanks".to_owned()),
        }
    }

    fn take_parameter(&mut self, text: &str) -> Result<(), String> {
        let wanted = "a parameter is declared by `// $name: TYPE, what it is`";
        let (name, rest) = text[1..].split_once(':').ok_or(wanted)?;
        if name.is_empty() || !is_name(name) {
            return Err(wanted.to_owned());
        }
        let rest = rest.trim();
        let end = rest.find([',', ' ']).unwrap_or(rest.len());
        let kind = ParameterType::read(&rest[..end])?;
        if self.parameters.iter().any(|parameter| parameter.name == name) {
            return Err(format!("`${name}` is declared a second time"));
        }
        if self.parameters.len() == MOST_NAMES {
            return Err(format!("there are more than {MOST_NAMES} parameters"));
        }
        let explanation = rest[end..].trim_start_matches([',', ' ']).to_owned();
        self.parameters.push(Parameter { name: name.to_owned(), kind: kind.0, may_be_null: kind.1, explanation });
        Ok(())
    }

    fn take_columns(&mut self, text: &str) -> Result<(), String> {
        for part in parts(text) {
            let name = part.split([' ', '(']).next().unwrap_or_default();
            if name.is_empty() || !is_name(name) {
                return Err(format!("columns are names with commas between them, and what else is said of one in brackets: {part:?} is none"));
            }
            if self.columns.iter().any(|column| column == name) {
                return Err(format!("column `{name}` is said twice"));
            }
            self.columns.push(name.to_owned());
        }
        if self.columns.len() > MOST_NAMES {
            return Err(format!("there are more than {MOST_NAMES} columns"));
        }
        Ok(())
    }
}

impl Entry {
    /// What a line is about: `$`, or the word before its colon where that is one of a header.
    fn key(&self) -> Option<&'static str> {
        if self.text.starts_with('$') {
            return Some("$");
        }
        let (word, _) = self.text.split_once(':')?;
        ["returns", "limit", "rows", "allows"].into_iter().find(|key| *key == word)
    }

    fn fault(&self, reason: impl Into<String>) -> Fault {
        Fault::new(format!("line {}", self.line), reason)
    }
}

/// The lines of the header, and what stands below them.
fn entries(text: &str) -> (Vec<Entry>, &str) {
    let mut entries: Vec<Entry> = Vec::new();
    let mut begin = 0;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let trimmed = line.trim();
        if let Some(said) = trimmed.strip_prefix("//") {
            match entries.last_mut().filter(|_| said.starts_with("   ")) {
                Some(entry) => entry.text = format!("{} {}", entry.text, said.trim()),
                None if said.trim().is_empty() => {}
                None => entries.push(Entry { line: at + 1, text: said.trim().to_owned() }),
            }
        } else if !trimmed.is_empty() {
            break;
        }
        begin += line.len();
    }
    (entries, &text[begin..])
}

/// What stands between commas, but for those in brackets.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut parts) = (0_i32, 0, Vec::new());
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[begin..].trim());
    parts
}

fn is_name(text: &str) -> bool {
    text.chars().all(|character| character != '`' && is_in_a_name(Some(character)))
}

/// `30s`, `500ms`.
fn limit(text: &str) -> Result<Duration, String> {
    let wanted = || format!("a time limit is a whole number of seconds or milliseconds, {} s at most: `// limit: 30s`", LONGEST_LIMIT.as_secs());
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let limit = match text.strip_suffix("ms") {
        Some(millis) => number(millis).map(|millis| Duration::from_millis(millis.into())),
        None => text.strip_suffix('s').and_then(number).map(|seconds| Duration::from_secs(seconds.into())),
    };
    limit.filter(|limit| !limit.is_zero() && *limit <= LONGEST_LIMIT).ok_or_else(wanted)
}
