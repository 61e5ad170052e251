//! A list that is not held: gone through once to see what is in it, and once more to have its entries.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::BufRead;
use std::ops::ControlFlow;

use super::columns::{Problem, Problems};
use super::entries::{Entries, once};
use super::faults::Faults;
use super::{Entry, Format, Piece, pieces, sdn};
use crate::evidence::Identifier;

/// The most entries of a list. Eight bytes of each are kept while it is gone through.
pub const MOST_ENTRIES: usize = 2_000_000;

/// The most problems that are told of a file.
const TOLD: usize = 100;

/// The most bytes of an entry's id.
const LONGEST_ID: usize = 256;

/// The most bytes of what stands apart from its entry, and of entries that are told in several places.
const APART: usize = 64 << 20;

/// Names and numbers of an entry that stand elsewhere.
#[derive(Debug, Default)]
struct Held {
    names: Vec<String>,
    identifiers: Vec<Identifier>,
}

/// What is in a list, as far as it must be known before its entries can be given away one by one.
#[derive(Debug)]
pub struct Survey {
    format: Format,
    ids: HashSet<u64>,
    /// Hashes of ids that entries in several places have.
    repeated: HashSet<u64>,
    held: HashMap<String, Held>,
    /// About how many bytes are held.
    apart: usize,
    /// What cannot be used, the first of many.
    pub notes: Vec<Problem>,
    /// How many notes there are in all.
    pub note_count: u64,
}

/// By what an id is remembered.
pub fn hash_of_id(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// Goes through a list, and through OFAC's `alt.csv` where there is one.
///
/// # Errors
/// What is wrong in the files: the first of many, and how many more there are.
pub fn survey(format: Format, input: impl BufRead, aliases: Option<impl BufRead>) -> Result<Survey, Problems> {
    let mut faults = Faults::at_most(TOLD);
    let mut survey =
        Survey { format, ids: HashSet::new(), repeated: HashSet::new(), held: HashMap::new(), apart: 0, notes: Vec::new(), note_count: 0 };
    let (mut too_much, mut long, mut reached) = (None, Faults::at_most(TOLD), 1);
    pieces(format, input, &mut faults, |piece| {
        if let Piece::Entry(entry, line) = &piece {
            reached = *line;
            if entry.id.len() > LONGEST_ID {
                let what = format!("an entry's id has more than {LONGEST_ID} bytes");
                long.problems.push(Problem { line: reached, column: String::new(), what });
                long.bound();
                return ControlFlow::Continue(());
            }
        }
        too_much = survey.take(piece);
        if too_much.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    faults.add(long);
    if let Some(aliases) = aliases.filter(|_| too_much.is_none()) {
        sdn::each_alias(aliases, &mut faults, |line, number, name, faults| {
            reached = line;
            if !survey.ids.contains(&hash_of_id(number)) {
                faults.notes.push(sdn::unknown_number(line));
                return ControlFlow::Continue(());
            }
            survey.hold(number, name.len(), |held| held.names.push(name.to_owned()));
            too_much = survey.too_much();
            if too_much.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }
    faults.problems.extend(too_much.map(|what| Problem { line: reached, column: String::new(), what }));
    if let Some(problems) = faults.refusal() {
        return Err(problems);
    }
    survey.note_count = faults.note_count();
    survey.notes = faults.notes;
    Ok(survey)
}

impl Survey {
    pub fn format(&self) -> Format {
        self.format
    }

    /// How many entries there are.
    pub fn entries(&self) -> usize {
        self.ids.len()
    }

    /// Whether an entry with this id is on the list.
    pub fn has(&self, id: &str) -> bool {
        self.ids.contains(&hash_of_id(id))
    }

    /// Notes a piece; answers with what is too much.
    fn take(&mut self, piece: Piece) -> Option<String> {
        match piece {
            Piece::Entry(entry, _) => {
                let hash = hash_of_id(&entry.id);
                if !self.ids.insert(hash) {
                    self.repeated.insert(hash);
                    self.apart += size_of_entry(&entry);
                }
            }
            Piece::Identifier { holder, identifier } => {
                let size = identifier.kind.len() + identifier.number.len();
                self.hold(&holder, size, |held| held.identifiers.push(identifier));
            }
        }
        self.too_much()
    }

    fn hold(&mut self, holder: &str, size: usize, put: impl FnOnce(&mut Held)) {
        self.apart += size + holder.len() + 100;
        put(self.held.entry(holder.to_owned()).or_default());
    }

    fn too_much(&self) -> Option<String> {
        if self.ids.len() > MOST_ENTRIES {
            return Some(format!("the list has more than {MOST_ENTRIES} entries; divide it into several lists"));
        }
        let what = "too many names and numbers stand apart from their entries; sort the lines by the entries' ids, or divide the list into several";
        (self.apart > APART).then(|| what.to_owned())
    }

    /// Puts to an entry what stands elsewhere.
    fn complete(&self, mut entry: Entry) -> Entry {
        if let Some(held) = self.held.get(&entry.id) {
            entry.names.extend(held.names.iter().cloned());
            entry.facts.identifiers.extend(held.identifiers.iter().cloned());
        }
        once(&mut entry);
        entry
    }
}

fn size_of_entry(entry: &Entry) -> usize {
    entry.names.iter().map(|name| name.len() + 24).sum::<usize>() + entry.facts.identifiers.len() * 64 + 300
}

/// Gives away each entry of a list that was surveyed, once and complete, until nobody wants more. Those that are told in several places come last.
///
/// # Errors
/// The file is another than the one that was surveyed, or cannot be read any more.
pub fn entries(survey: &Survey, input: impl BufRead, mut take: impl FnMut(Entry) -> ControlFlow<()>) -> Result<(), Problems> {
    let mut faults = Faults::at_most(TOLD);
    let mut gathered = Entries::default();
    let mut stopped = false;
    pieces(survey.format, input, &mut faults, |piece| {
        let Piece::Entry(entry, _) = piece else { return ControlFlow::Continue(()) };
        if survey.repeated.contains(&hash_of_id(&entry.id)) {
            gathered.add(entry);
            return ControlFlow::Continue(());
        }
        let flow = take(survey.complete(entry));
        stopped = flow.is_break();
        flow
    });
    if let Some(problems) = faults.refusal() {
        return Err(problems);
    }
    if !stopped {
        let _ = gathered.end().into_iter().try_for_each(|entry| take(survey.complete(entry)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    /// The entries one by one, by id.
    fn streamed(format: Format, text: &str) -> Vec<Entry> {
        let survey = survey(format, text.as_bytes(), None::<&[u8]>).expect("a list");
        let mut found = Vec::new();
        entries(&survey, text.as_bytes(), |entry| {
            found.push(entry);
            ControlFlow::Continue(())
        })
        .expect("the same list");
        assert_eq!(found.len(), survey.entries());
        found.sort_by(|one, other| one.id.cmp(&other.id));
        found
    }

    #[test]
    fn entries_come_as_if_the_list_were_read_whole() {
        let simple = "id,schema,name,aliases\nQ1,Person,Ada Quill,A. Quill\nQ2,Vessel,Zeus,\nQ1,Person,Ada Quilla,\n";
        let ftm = r#"{"id":"P","schema":"Passport","properties":{"holder":["Q1"],"number":["ZX 1"]}}
{"id":"Q1","schema":"Person","properties":{"name":["Ada Quill"]}}
{"id":"Q2","schema":"Person","properties":{"name":["Orsolo Vantrek"]}}
{"id":"I","schema":"Identification","properties":{"holder":["Q2"],"number":["77"],"type":["INN"]}}
"#;
        for (format, text) in [(Format::Simple, simple), (Format::Ftm, ftm)] {
            let mut whole = read(text.as_bytes()).expect("a list").items;
            whole.sort_by(|one, other| one.id.cmp(&other.id));
            assert_eq!(streamed(format, text), whole);
        }
    }

    #[test]
    fn names_of_alt_csv_are_put_to_their_entries() {
        let sdn = "7,\"QUILL, Ada\",\"individual\",\"X\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \n";
        let survey = survey(Format::SdnCsv, sdn.as_bytes(), Some(&b"7,1,\"aka\",\"QUILLA, Ada\",-0- \n9,1,\"aka\",\"NOBODY\",-0- \n"[..]));
        let survey = survey.expect("a list");
        assert_eq!(survey.note_count, 1);
        let mut names = Vec::new();
        entries(&survey, sdn.as_bytes(), |entry| {
            names = entry.names;
            ControlFlow::Continue(())
        })
        .expect("the same list");
        assert_eq!(names, ["QUILL, Ada", "QUILLA, Ada"]);
    }

    #[test]
    fn ids_that_are_too_long_are_all_told_with_their_lines() {
        let long = "x".repeat(LONGEST_ID + 1);
        let text = format!("id,schema,name\n{long},Person,A\n2,Person,B\n{long}3,Person,\n{long}4,Person,D\n");
        let told = survey(Format::Simple, text.as_bytes(), None::<&[u8]>).expect_err("three are too long").0;
        assert_eq!(told.iter().map(|problem| problem.line).collect::<Vec<_>>(), [2, 4, 4, 5]);
        assert_eq!(told[0].to_string(), "line 2: an entry's id has more than 256 bytes");
    }

    #[test]
    fn of_many_faults_the_first_are_told_and_the_others_counted() {
        let text = format!("id,schema,name\n{}", "x,Person,\n".repeat(250));
        let told = survey(Format::Simple, text.as_bytes(), None::<&[u8]>).expect_err("all are wrong").0;
        assert_eq!(told.len(), TOLD + 1);
        assert!(told[TOLD].what.starts_with("and 150 more"), "{}", told[TOLD]);
    }
}
