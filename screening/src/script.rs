//! Which script a letter is of, as far as the matcher treats scripts apart.

/// The scripts that are read in their own way; all others are `Other`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Script {
    Latin,
    Cyrillic,
    Greek,
    Arabic,
    Hebrew,
    Han,
    Kana,
    Hangul,
    Georgian,
    Armenian,
    Other,
}

impl Script {
    /// The script of one letter; digits and marks count as Latin, which changes nothing about them.
    pub fn of(letter: char) -> Script {
        match u32::from(letter) {
            0..=0x036f | 0x1e00..=0x1eff | 0x2c60..=0x2c7f | 0xa720..=0xa7ff | 0xff10..=0xff5a => Script::Latin,
            0x0370..=0x03ff | 0x1f00..=0x1fff => Script::Greek,
            0x0400..=0x052f | 0x1c80..=0x1c8f | 0x2de0..=0x2dff | 0xa640..=0xa69f => Script::Cyrillic,
            0x0530..=0x058f | 0xfb13..=0xfb17 => Script::Armenian,
            0x0590..=0x05ff | 0xfb1d..=0xfb4f => Script::Hebrew,
            0x0600..=0x06ff | 0x0750..=0x077f | 0x08a0..=0x08ff | 0xfb50..=0xfdff | 0xfe70..=0xfeff => Script::Arabic,
            0x10a0..=0x10ff | 0x1c90..=0x1cbf | 0x2d00..=0x2d2f => Script::Georgian,
            0x1100..=0x11ff | 0x3130..=0x318f | 0xa960..=0xa97f | 0xac00..=0xd7ff => Script::Hangul,
            0x3040..=0x30ff | 0x31f0..=0x31ff | 0xff66..=0xff9f => Script::Kana,
            0x2e80..=0x2fdf | 0x3005..=0x3007 | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff => Script::Han,
            _ => Script::Other,
        }
    }

    /// Scripts in which vowels are mostly not written: their words are compared with others by their consonants.
    pub fn is_abjad(self) -> bool {
        matches!(self, Script::Arabic | Script::Hebrew)
    }

    /// Scripts of syllables, in which a foreign name is written by the syllables that come near it.
    pub fn is_syllabic(self) -> bool {
        matches!(self, Script::Han | Script::Kana | Script::Hangul)
    }
}
