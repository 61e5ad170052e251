//! What a request has read and was refused: one entry for all of it, told when the request ends.

use std::sync::{Arc, Mutex, PoisonError};

use crate::policy::Subject;

/// The most things that one entry names besides the first, as many as a query may name at once; it says how many more there were.
pub const MOST_NAMED: usize = 100;
/// The most bytes of an id that an entry has. What is asked for may be of any length, and Neo4j refuses an entry whose id is too long for its index.
pub const LONGEST_ID: usize = 1_024;

/// How an operation ended, as far as the audit log goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    Success,
    /// It was not allowed, or not possible as things are.
    Refused,
}

impl Outcome {
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Success => "SUCCESS",
            Outcome::Refused => "REFUSED",
        }
    }
}

/// Which reads leave an entry: a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AuditedReads {
    None,
    /// Those of something that was named by its id.
    #[default]
    Records,
    /// Lists, too.
    All,
}

impl AuditedReads {
    pub(crate) fn include(self, subject: Subject<'_>) -> bool {
        match subject {
            Subject::One(..) => self != AuditedReads::None,
            Subject::List(_) => self == AuditedReads::All,
            Subject::Linked => false,
        }
    }
}

/// What is said together in one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub action: &'static str,
    pub outcome: Outcome,
    pub object_type: &'static str,
    /// The first of them.
    pub object_id: Option<String>,
    /// The others, as `Label id`.
    pub others: Vec<String>,
    /// How many more are not named.
    pub unnamed: usize,
}

/// Shared by the clones of a request's caller.
#[derive(Debug, Clone, Default)]
pub struct Noted(Arc<Mutex<Vec<Note>>>);

impl Noted {
    pub fn note(&self, action: &'static str, subject: Subject<'_>, outcome: Outcome) {
        let (object_type, object_id) = match subject {
            Subject::One(label, id) => (label, Some(id[..id.floor_char_boundary(LONGEST_ID)].to_owned())),
            Subject::List(label) => (label, None),
            Subject::Linked => ("Graph", None),
        };
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(note) = notes.iter_mut().find(|note| note.outcome == outcome) else {
            notes.push(Note { action, outcome, object_type, object_id, others: Vec::new(), unnamed: 0 });
            return;
        };
        let other = object_id.map_or_else(|| object_type.to_owned(), |id| format!("{object_type} {id}"));
        let first = note.object_id.as_ref().map_or_else(|| note.object_type.to_owned(), |id| format!("{} {id}", note.object_type));
        if other == first || note.others.contains(&other) {
        } else if note.others.len() < MOST_NAMED {
            note.others.push(other);
        } else {
            note.unnamed += 1;
        }
    }

    pub fn take(&self) -> Vec<Note> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Note {
    /// What else was read or refused in the same request, in words.
    pub fn notes(&self) -> Option<String> {
        if self.others.is_empty() {
            return None;
        }
        let more = if self.unnamed > 0 { format!(", and {} more", self.unnamed) } else { String::new() };
        Some(format!("also {}{more}", self.others.join(", ")))
    }
}
