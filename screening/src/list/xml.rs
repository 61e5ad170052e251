//! XML, record by record: elements with their lines. Only a record and the elements around it are in memory at a time.
//!
//! Text is what is written, the five entities of XML itself, and numbers of characters. A document that defines other entities has a document
//! type definition, and is refused, so no document can grow while it is read.

use std::io::BufRead;
use std::ops::ControlFlow;

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event};

use super::bounded::{Bounded, too_large};
use super::columns::Problem;
use super::faults::Faults;

/// Lists are nested five deep.
const DEEPEST: usize = 32;

/// An element of a record, with all that is in it. Prefixes of namespaces are no part of its name.
pub struct Element {
    pub name: String,
    /// Where it begins.
    pub line: u64,
    text: String,
    children: Vec<Element>,
}

impl Element {
    /// The text that is in the element itself, without spaces around it.
    pub fn text(&self) -> &str {
        self.text.trim()
    }

    /// The elements that a path of names leads to: those in this one, those in these, and so on.
    pub fn all<'a>(&'a self, path: &[&str]) -> Vec<&'a Element> {
        let step =
            |from: Vec<&'a Element>, name: &&str| from.iter().flat_map(|element| &element.children).filter(|child| child.name == *name).collect();
        path.iter().fold(vec![self], step)
    }

    /// The text of the first element of a name that has any.
    pub fn text_of(&self, name: &str) -> &str {
        self.children.iter().filter(|child| child.name == name).map(Element::text).find(|text| !text.is_empty()).unwrap_or_default()
    }

    /// Tells which elements that a record must have are missing or empty.
    pub fn require(&self, names: &[&str], problems: &mut Vec<Problem>) {
        for name in names.iter().filter(|name| self.text_of(name).is_empty()) {
            let there = self.children.iter().find(|child| child.name == **name);
            let (line, what) = there.map_or((self.line, "is missing"), |child| (child.line, "is empty"));
            problems.push(Problem { line, column: (*name).into(), what: what.into() });
        }
    }
}

/// The name of the outermost element; none where there is no element that can be read.
pub fn root(text: &[u8]) -> Option<String> {
    let mut reader = Reader::from_reader(text);
    loop {
        match reader.read_event() {
            Ok(Event::Start(start) | Event::Empty(start)) => return Some(name(&start)),
            Ok(Event::Eof) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

/// Gives each record of a document to `each`, until that wants no more. What ends the reading is told as a problem, and so is every entity that is
/// unknown.
pub fn read_records(
    input: impl BufRead,
    root: &str,
    records: &[&str],
    faults: &mut Faults,
    mut each: impl FnMut(&Element, &mut Faults) -> ControlFlow<()>,
) {
    let mut document = Document { root, records, seen: false, open: Vec::new(), encoding: None };
    let mut reader = Reader::from_reader(Bounded::new(input));
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let line = reader.get_ref().line();
        let event = match reader.read_event_into(&mut buffer) {
            Ok(Event::Eof) => return faults.problems.extend(document.unfinished(line)),
            Ok(event) => event,
            Err(_) if reader.get_ref().is_exhausted() => return faults.problems.push(problem(line, document.innermost(), too_large())),
            Err(error) => return faults.problems.push(problem(line, "", format!("is no XML: {error}"))),
        };
        match document.take(event, line, faults, &mut each) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => return,
            Err(problem) => return faults.problems.push(problem),
        }
        if !document.is_in_a_record() {
            faults.bound();
            reader.get_mut().refill();
        }
    }
}

/// The elements that are open, the outermost first.
struct Document<'a> {
    root: &'a str,
    records: &'a [&'a str],
    /// Whether the outermost element came.
    seen: bool,
    open: Vec<Element>,
    /// What the file says that it is in, where that is not UTF-8, and in which line.
    encoding: Option<(String, u64)>,
}

impl Document<'_> {
    /// An event; what ends the reading is an error.
    fn take(
        &mut self,
        event: Event<'_>,
        line: u64,
        faults: &mut Faults,
        each: &mut impl FnMut(&Element, &mut Faults) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Problem> {
        let mut flow = ControlFlow::Continue(());
        match event {
            Event::Start(start) => self.start(name(&start), line)?,
            Event::Empty(start) => {
                self.start(name(&start), line)?;
                self.end(|record| flow = each(record, faults));
            }
            Event::End(_) => self.end(|record| flow = each(record, faults)),
            Event::Text(text) => self.bytes(&text, line)?,
            Event::CData(text) => self.bytes(&text, line)?,
            Event::GeneralRef(reference) => match character(&reference) {
                Some(text) => self.text(&text, line)?,
                None => {
                    let what = format!("`&{};` is none of the five entities of XML, and no character", String::from_utf8_lossy(&reference));
                    faults.problems.push(problem(line, self.innermost(), what));
                }
            },
            Event::DocType(_) => return Err(problem(line, "", "a document type definition (DOCTYPE) is not accepted")),
            Event::Decl(declaration) => self.encoding = other_encoding(&declaration).map(|name| (name, line)),
            Event::Comment(_) | Event::PI(_) | Event::Eof => {}
        }
        Ok(flow)
    }

    /// Text as it is in the file. Text in ASCII letters alone is the same in most encodings, so there the name of the encoding does not matter.
    fn bytes(&mut self, bytes: &[u8], line: u64) -> Result<(), Problem> {
        if let Some((name, line)) = self.encoding.as_ref().filter(|_| !bytes.is_ascii()) {
            return Err(problem(*line, "", format!("the file is in {name}; UTF-8 is read")));
        }
        let breaks = |bytes: &[u8]| bytes.iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
        let text = std::str::from_utf8(bytes).map_err(|error| problem(line + breaks(&bytes[..error.valid_up_to()]), "", "is not UTF-8"))?;
        self.text(text, line)
    }

    fn is_in_a_record(&self) -> bool {
        self.open.iter().any(|element| self.records.contains(&element.name.as_str()))
    }

    fn start(&mut self, name: String, line: u64) -> Result<(), Problem> {
        if self.open.is_empty() && (self.seen || name != self.root) {
            return Err(problem(line, &name, format!("is not expected here: `{}` is, once", self.root)));
        }
        if self.open.len() == DEEPEST {
            return Err(problem(line, &name, format!("is nested more than {DEEPEST} deep")));
        }
        self.seen = true;
        self.open.push(Element { name, line, text: String::new(), children: Vec::new() });
        Ok(())
    }

    /// A record is given away; an element of a record is put to the one around it; any other is forgotten.
    fn end(&mut self, record: impl FnOnce(&Element)) {
        let Some(element) = self.open.pop() else { return };
        let is_record = |element: &Element| self.records.contains(&element.name.as_str());
        if is_record(&element) {
            record(&element);
        } else if self.open.iter().any(is_record)
            && let Some(around) = self.open.last_mut()
        {
            around.children.push(element);
        }
    }

    /// Spaces before the first word of an element are dropped, and what stands between records is not kept.
    fn text(&mut self, text: &str, line: u64) -> Result<(), Problem> {
        let is_kept = self.is_in_a_record();
        match self.open.last_mut() {
            Some(_) if !is_kept => {}
            Some(element) if element.text.is_empty() => element.text.push_str(text.trim_start()),
            Some(element) => element.text.push_str(text),
            None if text.trim().is_empty() => {}
            None => return Err(problem(line, "", "text stands outside of all elements")),
        }
        Ok(())
    }

    fn innermost(&self) -> &str {
        self.open.last().map_or("", |element| &element.name)
    }

    /// What is missing at the end of the file.
    fn unfinished(&self, line: u64) -> Option<Problem> {
        match self.open.last() {
            Some(element) => Some(problem(element.line, &element.name, "is not closed: the file ends before")),
            None if !self.seen => Some(problem(line, self.root, "is missing")),
            None => None,
        }
    }
}

fn problem(line: u64, column: &str, what: impl Into<String>) -> Problem {
    Problem { line, column: column.into(), what: what.into() }
}

/// Without its prefix.
fn name(start: &BytesStart) -> String {
    String::from_utf8_lossy(start.local_name().as_ref()).into_owned()
}

/// What a reference stands for.
fn character(reference: &BytesRef) -> Option<String> {
    if reference.is_char_ref() {
        return reference.resolve_char_ref().ok().flatten().map(String::from);
    }
    resolve_xml_entity(&reference.decode().ok()?).map(str::to_owned)
}

/// What a declaration says that the file is in, where that is not UTF-8.
fn other_encoding(declaration: &BytesDecl) -> Option<String> {
    match declaration.encoding() {
        Some(Ok(name)) if !name.eq_ignore_ascii_case(b"utf-8") => Some(String::from_utf8_lossy(&name).into_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::bounded::without_mark_of;
    use super::*;

    /// The records' lines and their texts of `a`, and what is wrong.
    fn read(text: &str) -> (Vec<(u64, String)>, Vec<String>) {
        let (mut found, mut faults) = (Vec::new(), Faults::all());
        let input = without_mark_of(text.as_bytes()).expect("it is read");
        read_records(input, "list", &["record"], &mut faults, |record, _| {
            found.push((record.line, record.text_of("a").to_owned()));
            ControlFlow::Continue(())
        });
        (found, faults.problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn records_are_read_with_their_lines_and_the_characters_that_references_stand_for() {
        let text = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<x:list xmlns:x=\"urn:x\">\n <record>\n  <a/>\n  <a> &quot;Quill&quot; &amp; <![CDATA[<Sons>]]> &#233;&#xe9; </a></record>\n <record><b><a>deeper</a></b></record>\n</x:list>\n";
        let (found, problems) = read(text);
        assert_eq!(found, [(3, "\"Quill\" & <Sons> éé".to_owned()), (6, String::new())]);
        assert!(problems.is_empty(), "{problems:?}");
    }

    #[test]
    fn a_document_type_definition_is_refused_and_no_entity_is_expanded() {
        let (found, problems) = read("<?xml version=\"1.0\"?>\n<!DOCTYPE list [<!ENTITY a \"aaaa\">]>\n<list><record><a>&a;</a></record></list>");
        assert!(found.is_empty());
        assert_eq!(problems, ["line 2: a document type definition (DOCTYPE) is not accepted"]);
        let (_, problems) = read("<list>\n<record><a>&a;</a></record>\n<record><a>&#0;</a></record></list>");
        assert_eq!(problems.len(), 2);
        assert!(problems[0].starts_with("line 2, column `a`: `&a;`"), "{problems:?}");
    }

    #[test]
    fn elements_that_are_nested_too_deep_are_refused() {
        let (_, problems) = read(&format!("<list>{}", "<record>".repeat(100_000)));
        assert_eq!(problems, ["line 1, column `record`: is nested more than 32 deep"]);
    }

    #[test]
    fn what_is_no_whole_document_is_refused() {
        for (text, expected) in [
            ("", "line 1, column `list`: is missing"),
            ("<other/>", "line 1, column `other`: is not expected here"),
            ("<list/>\n<list/>", "line 2, column `list`: is not expected here"),
            ("<list>\n<record>\n<a>", "line 3, column `a`: is not closed"),
            ("<list>\n</record>", "line 2: is no XML"),
            ("<list>\n</list>more", "line 2: text stands outside"),
            ("<list>\n<record", "line 2: is no XML"),
            ("<?xml version=\"1.0\" encoding=\"latin1\"?><list>é</list>", "line 1: the file is in latin1"),
        ] {
            let (_, problems) = read(text);
            assert!(problems.len() == 1 && problems[0].starts_with(expected), "{text}: {problems:?}");
        }
        let mut faults = Faults::all();
        read_records(&b"<list>\n\xff</list>"[..], "list", &[], &mut faults, |_, _| ControlFlow::Continue(()));
        assert_eq!(faults.problems[0].to_string(), "line 2: is not UTF-8");
    }
}
