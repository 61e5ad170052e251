//! What the tests of this crate reach of its inside, and nobody else: those of `tests/unit`, without which all of the crate would have to be compiled once
//! more. It is no part of what the crate offers.
//!
//! What stands in modules that are not public keeps its place; all else is asked for by functions and constants here.

pub mod code {
    /// The assigned codes, one behind another.
    pub const COUNTRIES: &str = crate::code::COUNTRIES;
    /// Those of countries that are no more.
    pub const FORMER_COUNTRIES: &str = crate::code::FORMER_COUNTRIES;
}
pub mod given {
    use crate::given::Input;
    use crate::input_schema::InputSchema;

    /// Compiles the schema of an input.
    pub fn compile<T: Input>() {
        InputSchema::of::<T>();
    }
}
pub mod identity {
    /// Longest key in bytes.
    pub const MAX_KEY_BYTES: usize = crate::identity::MAX_KEY_BYTES;

    pub mod account_number {
        pub use crate::identity::account_number::MISSING_COUNTRIES;
        use crate::identity::{Identity, IdentityRules};
        use crate::transaction::AccountInfoRecord;

        /// The keys of an account that is described.
        pub fn info_keys(rules: &IdentityRules, info: &AccountInfoRecord) -> Vec<Identity> {
            rules.info_keys(info)
        }
    }
    pub mod address {
        pub use crate::identity::address::{ABBREVIATIONS, Abbreviations};
    }
    pub mod phone {
        pub use crate::identity::phone::valid;
    }
    pub mod placeholder {
        use crate::identity::Placeholders;
        pub use crate::identity::placeholder::{HEADINGS, WORDS, is_masked, lines, spelling};

        /// Whether a value says nothing.
        pub fn is_value(placeholders: &Placeholders, text: &str) -> bool {
            placeholders.is_value(text)
        }

        /// Whether a text does.
        pub fn is_text(placeholders: &Placeholders, text: &str) -> bool {
            placeholders.is_text(text)
        }

        /// Whether an id does.
        pub fn is_id(placeholders: &Placeholders, text: &str) -> bool {
            placeholders.is_id(text)
        }

        /// Whether an email address does.
        pub fn is_email(placeholders: &Placeholders, local: &str, domain: &str) -> bool {
            placeholders.is_email(local, domain)
        }
    }
    pub mod text {
        pub use crate::identity::text::{alphanumerics, caseless, folded, plain};
    }
}
pub mod json_text {
    /// How many characters a JSON text has without the blanks between its parts.
    pub fn compact_chars(text: &str) -> usize {
        crate::json_text::compact_chars(text)
    }
}
pub mod own_schema {
    /// Most bytes of a schema.
    pub const MAX_BYTES: usize = crate::own_schema::MAX_BYTES;
}
pub mod tree {
    pub use crate::tree::{offset, parse, path_at};
}
