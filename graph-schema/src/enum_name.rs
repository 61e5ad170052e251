//! Enums by the name the reference gives them: what JSON, GraphQL and the graph's properties all say.

use async_graphql::resolver_utils::EnumType;

/// An enum whose variants have the reference's names.
pub trait EnumName: Sized {
    /// The name, as in JSON (`LEGAL_ENTITY`).
    fn text(&self) -> &'static str;
    /// The variant of that name.
    fn named(text: &str) -> Option<Self>;
    /// All names, in the order of declaration.
    fn names() -> Vec<&'static str>;
}

impl<E: EnumType> EnumName for E {
    fn text(&self) -> &'static str {
        E::items().iter().find(|item| item.value == *self).map_or("", |item| item.name)
    }

    fn named(text: &str) -> Option<Self> {
        E::items().iter().find(|item| item.name == text).map(|item| item.value)
    }

    fn names() -> Vec<&'static str> {
        E::items().iter().map(|item| item.name).collect()
    }
}
