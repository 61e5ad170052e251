//! Reading a body: its text is kept, its shape and rules are checked, all faults are told at once.
//!
//! The text is read three times: once as a tree, so that the schema can be run over it and doubled keys show; by the
//! schema; and once into the struct, straight from the text, so that numbers stay as they were written.

use std::sync::Arc;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use crate::{
    fault::{Fault, Unacceptable},
    input_schema::InputSchema,
    tree,
};

/// A value and the text it came as.
#[derive(Debug, Clone, PartialEq)]
pub struct Given<T> {
    pub value: T,
    /// The text exactly as it came in.
    pub record: Arc<str>,
}

/// The items of a body that is an array, each with its own text, and the text of the whole.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenList<T> {
    pub items: Vec<Given<T>>,
    pub record: Arc<str>,
}

/// What can be read from a body: its schema says its shape, [`Input::check`] the rest.
pub trait Input: DeserializeOwned + utoipa::ToSchema + Send + Sync + 'static {
    /// The most of them that one array may have.
    const MAX_ITEMS: usize = usize::MAX;

    /// Adds what breaks a rule that no schema can say; paths are relative to this value.
    fn check(&self, _faults: &mut Vec<Fault>) {}
}

impl<T: Serialize> Given<T> {
    /// A value that was made here; its text is written from it.
    pub fn made(value: T) -> Result<Self, serde_json::Error> {
        let record = Arc::from(serde_json::to_string(&value)?);
        Ok(Self { value, record })
    }
}

impl<T> Given<T> {
    /// Another view of the same record.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Given<U> {
        Given { value: change(self.value), record: self.record }
    }
}

/// Reads one object.
pub fn read<T: Input>(bytes: &[u8]) -> Result<Given<T>, Unacceptable> {
    let text = as_text(bytes)?;
    let value = read_text(text)?;
    Ok(Given { value, record: Arc::from(text) })
}

/// Reads an array of objects; the paths of faults begin with `[index]`.
pub fn read_list<T: Input>(bytes: &[u8]) -> Result<GivenList<T>, Unacceptable> {
    let text = as_text(bytes)?;
    let raws: Vec<&RawValue> = match serde_json::from_str(text) {
        Ok(raws) => raws,
        Err(error) if error.is_data() => {
            let problem = "must be an array";
            return Err(Unacceptable::Invalid(vec![Fault::new("body", problem)]));
        }
        Err(error) => return Err(tree::unreadable(&error)),
    };
    let mut items = Vec::with_capacity(raws.len());
    let mut faults = Vec::new();
    if raws.len() > T::MAX_ITEMS {
        faults.push(Fault::new("body", format!("must have at most {} items", T::MAX_ITEMS)));
    }
    for (index, raw) in raws.into_iter().enumerate() {
        match read_text(raw.get()) {
            Ok(value) => items.push(Given { value, record: Arc::from(raw.get()) }),
            Err(Unacceptable::Invalid(found)) => {
                let prefix = format!("[{index}]");
                faults.extend(found.into_iter().map(|fault| fault.within(&prefix)));
            }
            Err(unreadable) => return Err(unreadable),
        }
    }
    if faults.is_empty() {
        let record = Arc::from(text);
        Ok(GivenList { items, record })
    } else {
        Err(Unacceptable::Invalid(faults))
    }
}

/// Runs the rules of a value that did not come as JSON (a GraphQL input).
pub fn check<T: Input>(value: &T) -> Result<(), Unacceptable> {
    let mut faults = Vec::new();
    value.check(&mut faults);
    if faults.is_empty() { Ok(()) } else { Err(Unacceptable::Invalid(faults)) }
}

pub(crate) fn as_text(bytes: &[u8]) -> Result<&str, Unacceptable> {
    std::str::from_utf8(bytes).map_err(|error| {
        let problem = format!("must be UTF-8; byte {} is not", error.valid_up_to());
        Unacceptable::Unreadable(vec![Fault::new("body", problem)])
    })
}

pub(crate) fn read_text<T: Input>(text: &str) -> Result<T, Unacceptable> {
    let (tree, doubled) = tree::parse(text).map_err(|error| tree::unreadable(&error))?;
    let mut faults = doubled;
    InputSchema::of::<T>().check(&tree, &mut faults);
    if !faults.is_empty() {
        return Err(Unacceptable::Invalid(faults));
    }
    let value: T = serde_json::from_str(text).map_err(|error| {
        // The schema is stricter than serde nearly everywhere; what is left is a number that fits no integer.
        Unacceptable::Invalid(vec![tree::misfit(text, &error)])
    })?;
    value.check(&mut faults);
    if faults.is_empty() { Ok(value) } else { Err(Unacceptable::Invalid(faults)) }
}
