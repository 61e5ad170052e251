//! Limits that async-graphql does not have: how long a document may be, and how many aliases it may use. Depth and complexity are its own.
//!
//! They are checked before a request is run and not by an extension of the schema: with one, every field of every answer would go through it.
//! Applications send the same few documents over and over, so that those are parsed and checked once.

use std::sync::Arc;

use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};
use async_graphql::{Request, ServerError};
use moka::future::Cache;

use crate::config::GraphqlLimits;

/// Bytes of documents that are kept parsed. Their trees take some ten times as much.
const KEPT: u64 = 256 << 10;

/// Documents that were found to keep the limits, by their texts. Cheap to clone; all clones share.
#[derive(Clone)]
pub struct Documents {
    known: Cache<String, Arc<ExecutableDocument>>,
    tokens: usize,
    aliases: usize,
}

impl Documents {
    pub fn new(limits: &GraphqlLimits) -> Self {
        let weigher = |text: &String, _: &Arc<ExecutableDocument>| u32::try_from(text.len()).unwrap_or(u32::MAX);
        Self { known: Cache::builder().weigher(weigher).max_capacity(KEPT).build(), tokens: limits.tokens, aliases: limits.aliases }
    }

    /// Parses the request's document, and refuses one that is too long or uses too many aliases.
    pub async fn parse(&self, request: &mut Request) -> Result<(), ServerError> {
        if let Some(document) = self.known.get(&request.query).await {
            request.set_parsed_query(ExecutableDocument::clone(&document));
            return Ok(());
        }
        // Before it is parsed: parsing is what a very long document makes expensive.
        if tokens(&request.query) > self.tokens {
            return Err(refused(format!("the document is too long: at most {} tokens", self.tokens)));
        }
        let document = request.parsed_query()?;
        let operations = document.operations.iter().map(|(_, operation)| &operation.node.selection_set.node);
        let fragments = document.fragments.values().map(|fragment| &fragment.node.selection_set.node);
        if operations.chain(fragments).map(aliases).sum::<usize>() > self.aliases {
            return Err(refused(format!("too many aliases: at most {}", self.aliases)));
        }
        let document = Arc::new(document.clone());
        self.known.insert(request.query.clone(), document).await;
        Ok(())
    }
}

fn refused(message: String) -> ServerError {
    let mut error = ServerError::new(message, None);
    error.extensions.get_or_insert_default().set("code", "TOO_LARGE");
    error
}

/// About how many tokens a document has: names, numbers and texts count one each, as does every other sign.
fn tokens(query: &str) -> usize {
    let mut count = 0;
    let mut in_word = false;
    for byte in query.bytes() {
        let word = byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        if word {
            count += usize::from(!in_word);
        } else if !byte.is_ascii_whitespace() && byte != b',' {
            count += 1;
        }
        in_word = word;
    }
    count
}

fn aliases(selections: &SelectionSet) -> usize {
    selections
        .items
        .iter()
        .map(|selection| match &selection.node {
            Selection::Field(field) => usize::from(field.node.alias.is_some()) + aliases(&field.node.selection_set.node),
            Selection::InlineFragment(fragment) => aliases(&fragment.node.selection_set.node),
            Selection::FragmentSpread(_) => 0,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_words_and_signs() {
        assert_eq!(tokens("{ account(id: \"a\") { id } }"), 13);
        assert_eq!(tokens(""), 0);
    }
}
