//! How a process stands that may write: what others go by who follow it.

/// Of the text. Who does not know it can't follow.
const FORMAT: &str = "1";
const QUIET: &str = "quiet";
const WRITING: &str = "writing";

/// How a process stands. All of it is one property of its node, so that nobody sees one part without the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Standing {
    /// The number of this renewal; later ones have larger numbers.
    pub renewal: u64,
    /// The number of a renewal that was committed before what this one tells was taken, or by which the process began to write; 0 for none.
    pub answered: u64,
    /// How long after that answer was here it was taken, in microseconds of the process's own clock.
    pub waited: u64,
    /// Whether it writes nothing before another renewal.
    pub is_quiet: bool,
    /// The number of the last note.
    pub notes: u64,
    /// The number of the last write that is in it, or in one before.
    pub up_to: u64,
}

impl Standing {
    /// Of a process that has written nothing.
    pub const NEW: Self = Self { renewal: 0, answered: 0, waited: 0, is_quiet: true, notes: 0, up_to: 0 };
    /// Of a process that has lost its node while it writes: nothing is known of it before its renewals count again.
    pub const LOST: Self = Self { is_quiet: false, ..Self::NEW };

    pub fn to_text(self) -> String {
        let Self { renewal, answered, waited, is_quiet, notes, up_to } = self;
        format!("{FORMAT} {renewal} {answered} {waited} {} {notes} {up_to}", if is_quiet { QUIET } else { WRITING })
    }

    /// Nothing for what another version of the program has written.
    pub fn of_text(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split(' ').collect();
        let [FORMAT, renewal, answered, waited, state, notes, up_to] = parts[..] else { return None };
        let is_quiet = match state {
            QUIET => true,
            WRITING => false,
            _ => return None,
        };
        let number = |text: &str| text.parse::<u64>().ok();
        Some(Self {
            renewal: number(renewal)?,
            answered: number(answered)?,
            waited: number(waited)?,
            is_quiet,
            notes: number(notes)?,
            up_to: number(up_to)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standing_is_read_as_it_was_written() {
        for standing in [Standing::NEW, Standing { renewal: 12, answered: 11, waited: 83_000, is_quiet: false, notes: 3, up_to: 400 }] {
            assert_eq!(Standing::of_text(&standing.to_text()), Some(standing));
        }
        assert_eq!(Standing::NEW.to_text(), "1 0 0 0 quiet 0 0");
        for text in ["", "1 0 0 0 quiet 0", "2 0 0 0 quiet 0 0", "1 0 0 0 loud 0 0", "1 0 -1 0 quiet 0 0", "1 0 0 0 quiet 0 0 0"] {
            assert_eq!(Standing::of_text(text), None, "{text}");
        }
    }
}
