//! What is wrong in a file while it is read: all of it is counted, and so much of it is kept as can be told.

use super::columns::{Problem, Problems};

/// So many characters of a problem are told; it repeats what the file says.
const LONGEST: usize = 300;

/// What is wrong in a file, and what of it cannot be used.
pub struct Faults {
    pub problems: Vec<Problem>,
    pub notes: Vec<Problem>,
    most: usize,
    untold: u64,
    untold_notes: u64,
    /// How many of each were looked at.
    seen: usize,
    seen_notes: usize,
}

impl Faults {
    /// Keeps all.
    pub fn all() -> Faults {
        Faults::at_most(usize::MAX)
    }

    /// Keeps the first so many, and counts the others.
    pub fn at_most(most: usize) -> Faults {
        Faults { problems: Vec::new(), notes: Vec::new(), most, untold: 0, untold_notes: 0, seen: 0, seen_notes: 0 }
    }

    /// After each record: lets go of what is too much to be told.
    pub fn bound(&mut self) {
        self.untold += bounded(&mut self.problems, self.most, &mut self.seen);
        self.untold_notes += bounded(&mut self.notes, self.most, &mut self.seen_notes);
    }

    /// Puts to the others what was found by whoever took the records; it was bounded as these are.
    pub fn add(&mut self, others: Faults) {
        self.problems.extend(others.problems);
        self.untold += others.untold;
        self.bound();
    }

    /// How many notes were made, those that are not kept too.
    pub fn note_count(&self) -> u64 {
        self.notes.len() as u64 + self.untold_notes
    }

    /// Everything that is wrong, if anything is; the last of many says how many are not told.
    pub fn refusal(&mut self) -> Option<Problems> {
        self.bound();
        if self.problems.is_empty() {
            return None;
        }
        let mut problems = Problems::new(std::mem::take(&mut self.problems));
        if self.untold > 0 {
            let line = problems.0.last().map_or(0, |problem| problem.line);
            problems.0.push(Problem { line, column: String::new(), what: format!("and {} more faults from here on", self.untold) });
        }
        Some(problems)
    }
}

fn bounded(problems: &mut Vec<Problem>, most: usize, seen: &mut usize) -> u64 {
    if most == usize::MAX {
        return 0;
    }
    let untold = problems.len().saturating_sub(most);
    problems.truncate(most);
    for problem in problems.iter_mut().skip(*seen) {
        if let Some((end, _)) = problem.what.char_indices().nth(LONGEST) {
            // A text of its own: the room of the long one is given back.
            problem.what = format!("{}…", &problem.what[..end]);
        }
    }
    *seen = problems.len();
    untold as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_are_counted_and_the_first_are_told() {
        let mut faults = Faults::at_most(2);
        for line in 1..=5 {
            faults.problems.push(Problem { line, column: String::new(), what: "is wrong".into() });
            faults.bound();
        }
        let told = faults.refusal().expect("five are wrong");
        assert_eq!(told.0.len(), 3);
        assert_eq!(told.0[2].to_string(), "line 2: and 3 more faults from here on");
        assert!(Faults::all().refusal().is_none());
    }

    #[test]
    fn long_ones_are_cut_once() {
        let mut faults = Faults::at_most(2);
        for line in 1..=3 {
            faults.notes.push(Problem { line, column: String::new(), what: "é".repeat(1_000) });
            faults.bound();
        }
        assert_eq!((faults.notes.len(), faults.note_count()), (2, 3));
        assert!(faults.notes.iter().all(|note| note.what == "é".repeat(LONGEST) + "…"));
    }
}
