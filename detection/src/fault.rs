//! What is wrong with a pack, each fault with its file, its place there, and what would be right.

use std::fmt;

use serde::Serialize;

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Fault {
    /// The file below the pack's folder.
    pub file: String,
    /// The key, the line or the test; empty where the whole file is meant.
    pub place: String,
    /// What is wrong and what would be right.
    pub says: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.is_empty() {
            true => write!(f, "{}: {}", self.file, self.says),
            false => write!(f, "{}: {}: {}", self.file, self.place, self.says),
        }
    }
}

/// All faults of a pack; never empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, fault) in self.0.iter().enumerate() {
            match place {
                0 => write!(f, "{fault}")?,
                _ => write!(f, "\n{fault}")?,
            }
        }
        Ok(())
    }
}
