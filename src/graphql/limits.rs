//! Limits that async-graphql does not have: how long a document may be, and how many aliases it may use. Depth and complexity are its own.

use std::sync::Arc;

use async_graphql::extensions::{Extension, ExtensionContext, ExtensionFactory, NextParseQuery};
use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};
use async_graphql::{ServerError, ServerResult, Variables};

/// Refuses documents that are too long or use too many aliases.
pub struct Limits {
    pub tokens: usize,
    pub aliases: usize,
}

impl ExtensionFactory for Limits {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Limits { tokens: self.tokens, aliases: self.aliases })
    }
}

#[async_graphql::async_trait::async_trait]
impl Extension for Limits {
    async fn parse_query(
        &self,
        context: &ExtensionContext<'_>,
        query: &str,
        variables: &Variables,
        next: NextParseQuery<'_>,
    ) -> ServerResult<ExecutableDocument> {
        // Before it is parsed: parsing is what a very long document makes expensive.
        if tokens(query) > self.tokens {
            return Err(refused(format!("the document is too long: at most {} tokens", self.tokens)));
        }
        let document = next.run(context, query, variables).await?;
        let operations = document.operations.iter().map(|(_, operation)| &operation.node.selection_set.node);
        let fragments = document.fragments.values().map(|fragment| &fragment.node.selection_set.node);
        if operations.chain(fragments).map(aliases).sum::<usize>() > self.aliases {
            return Err(refused(format!("too many aliases: at most {}", self.aliases)));
        }
        Ok(document)
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
