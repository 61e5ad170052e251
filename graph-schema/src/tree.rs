//! JSON text as a tree, with what serde_json alone would hide: keys that occur twice.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, map::Entry};

use crate::fault::{Fault, Unacceptable};

/// The tree of a text, and a fault for every doubled key (the last value stays in the tree).
pub fn parse(text: &str) -> Result<(Value, Vec<Fault>), serde_json::Error> {
    let mut doubled = Vec::new();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let tree = Tree { doubled: &mut doubled }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok((tree, doubled))
}

/// What serde_json says about a text that is no JSON. Its message ends with line and column.
pub(crate) fn unreadable(error: &serde_json::Error) -> Unacceptable {
    let problem = format!("must be JSON: {error}");
    Unacceptable::Unreadable(vec![Fault::new("body", problem)])
}

/// What serde says about a text that passed the schema, at the path that its line and column point to.
pub(crate) fn misfit(text: &str, error: &serde_json::Error) -> Fault {
    let message = error.to_string();
    let problem = message.rsplit_once(" at line ").map_or(message.as_str(), |(problem, _)| problem);
    let end = offset(text, error.line(), error.column());
    Fault::new(path_at(text, end), problem)
}

/// Byte offset of a line and column that count from 1, columns in bytes.
pub fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column).min(text.len())
}

/// The path of the value that the text is in the middle of (or has just ended) at byte `end`.
pub fn path_at(text: &str, end: usize) -> String {
    /// An open object with its latest key, or an open array with the index of its latest item.
    enum Open {
        Object(String),
        Array(usize),
    }
    let mut open: Vec<Open> = Vec::new();
    let mut key_next = false;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < end.min(bytes.len()) {
        match bytes[at] {
            b'{' => {
                open.push(Open::Object(String::new()));
                key_next = true;
            }
            b'[' => {
                open.push(Open::Array(0));
                key_next = false;
            }
            b'}' | b']' if at + 1 < end => {
                open.pop();
            }
            b',' => match open.last_mut() {
                Some(Open::Array(index)) => *index += 1,
                _ => key_next = true,
            },
            b'"' => {
                let close = string_end(bytes, at);
                if let (true, Some(Open::Object(key))) = (key_next, open.last_mut()) {
                    *key = serde_json::from_str(&text[at..close]).unwrap_or_default();
                    key_next = false;
                }
                at = close - 1;
            }
            _ => {}
        }
        at += 1;
    }
    open.iter().fold(String::new(), |path, step| match step {
        Open::Object(key) if key.is_empty() => path,
        Open::Object(key) => crate::fault::join(&path, key),
        Open::Array(index) => format!("{path}[{index}]"),
    })
}

/// The offset behind the string that opens at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// Reads one value; faults found below it are given its step of the path on the way up, so that reading costs
/// nothing for paths while there are no faults.
struct Tree<'a> {
    doubled: &'a mut Vec<Fault>,
}

impl Tree<'_> {
    fn again(&mut self) -> Tree<'_> {
        Tree { doubled: self.doubled }
    }

    fn prefix_from(&mut self, first: usize, prefix: &str) {
        for fault in &mut self.doubled[first..] {
            *fault = fault.clone().within(prefix);
        }
    }
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            let first = self.doubled.len();
            let Some(item) = items.next_element_seed(self.again())? else {
                return Ok(Value::Array(list));
            };
            if self.doubled.len() > first {
                self.prefix_from(first, &format!("[{}]", list.len()));
            }
            list.push(item);
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let first = self.doubled.len();
            let value = entries.next_value_seed(self.again())?;
            if self.doubled.len() > first {
                self.prefix_from(first, &key);
            }
            match object.entry(key) {
                Entry::Vacant(entry) => {
                    entry.insert(value);
                }
                Entry::Occupied(mut entry) => {
                    let problem = "must not be given twice";
                    self.doubled.push(Fault::new(entry.key().as_str(), problem));
                    entry.insert(value);
                }
            }
        }
        Ok(Value::Object(object))
    }
}
