//! Which accounts the payments of one expansion have led to already.

use crate::network::Link;

/// Payments among which the earlier ones are looked through; of more, accounts are marked.
const FEW: usize = 24;

/// For each step of a path the mark of the expansion that met an account last.
#[derive(Debug, Default)]
pub struct Met {
    marks: Vec<Vec<u32>>,
    last: u32,
}

impl Met {
    /// Begins an expansion by the payments that leave the end of a path.
    pub fn begin(&mut self, accounts: usize, step: usize, leaving: &[Link]) -> u32 {
        if leaving.len() <= FEW {
            return 0;
        }
        while self.marks.len() <= step {
            self.marks.push(vec![0; accounts]);
        }
        if self.last == u32::MAX {
            self.marks.iter_mut().for_each(|marks| marks.fill(0));
            self.last = 0;
        }
        self.last += 1;
        self.last
    }

    /// Whether a payment leads where an earlier one led that was asked about; asked in order, once each.
    pub fn met(&mut self, mark: u32, step: usize, leaving: &[Link], place: usize) -> bool {
        let account = leaving[place].other;
        if leaving.len() <= FEW {
            return leaving[..place].iter().any(|earlier| earlier.other == account);
        }
        std::mem::replace(&mut self.marks[step][account.position()], mark) == mark
    }
}
