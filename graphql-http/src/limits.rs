//! What a document may ask for. All but its complexity is checked here, before anything of async-graphql walks it; complexity needs to know
//! the types, and is left to async-graphql, which walks fragments wherever they are spread: what this costs is known, and bounded, by then.
//!
//! The checks are made before a request is run and not by an extension of the schema: with one, every field of every answer would go through
//! it. Applications send the same few documents over and over, so that those are parsed and checked once.

mod escapes;
mod measure;
mod text;

use std::sync::Arc;

use async_graphql::parser::parse_query;
use async_graphql::parser::types::ExecutableDocument;
use async_graphql::{Request, ServerError};
use moka::future::Cache;
use resolvers::{Caller, Role};

use crate::document::Document;
use crate::settings::{GraphqlLimits, Switch};
use crate::trusted::Untrusted;
use measure::{Fault, Measure};

pub use escapes::without_long_escapes;
pub use measure::SETS;

/// Bytes of documents that are kept parsed. Their trees take some ten times as much.
const KEPT: u64 = 256 << 10;
/// Bytes of a document for each of its tokens, indentation and all. A text is one token, whatever its length, and every byte of it is parsed.
const BYTES_A_TOKEN: usize = 16;
/// Fields of a document for each of its tokens, counting those of a fragment wherever it is spread.
const FIELDS_A_TOKEN: usize = 2;
/// Brackets within one another, of all kinds. The parser reads as many selection sets within one another, and lists without an end.
const BRACKETS: usize = 64;
/// Directives in one place. There are two, `@skip` and `@include`; the rules want an error for each that is unknown or comes again.
const DIRECTIVES: usize = 4;
/// Fields of one operation that ask about the schema. GraphiQL's own query, and that of other tools, has some 230.
const SCHEMA_FIELDS: usize = 300;
/// How far lists about the schema lead into one another, as [`measure`] weighs them. GraphiQL's own: types, their fields, and their arguments.
const SCHEMA_LISTS: usize = 4;

/// Documents that were found to keep the limits, by their texts. Cheap to clone; all clones share.
#[derive(Clone)]
pub struct Documents {
    known: Cache<String, Arc<Document>>,
    limits: GraphqlLimits,
}

impl Documents {
    pub fn new(limits: &GraphqlLimits) -> Self {
        let weigher = |text: &String, _: &Arc<Document>| u32::try_from(text.len()).unwrap_or(u32::MAX);
        Self { known: Cache::builder().weigher(weigher).max_capacity(KEPT).build(), limits: limits.clone() }
    }

    /// Parses the request's document, which it may name by its id, and refuses one that can't be parsed, asks for too much, or is none that this caller may
    /// send. The request gets a copy of its own.
    pub async fn parse(&self, request: &mut Request, caller: &Caller) -> Result<Arc<Document>, ServerError> {
        // Commands of the operator's are not in the lists of clients.
        self.limits.trusted.resolve(request, caller.roles.contain(Role::Admin)).map_err(untrusted)?;
        // Before it is looked for: that, too, reads it from end to end.
        self.check_length(&request.query)?;
        if let Some(document) = self.known.get(&request.query).await {
            request.set_parsed_query(document.tree().clone());
            return Ok(document);
        }
        let document = Arc::new(Document::new(self.read(&request.query)?));
        request.set_parsed_query(document.tree().clone());
        self.known.insert(request.query.clone(), Arc::clone(&document)).await;
        Ok(document)
    }

    /// The most bytes of a document.
    pub fn longest(&self) -> usize {
        self.limits.tokens.saturating_mul(BYTES_A_TOKEN)
    }

    /// What is told of a document that costs more than a document may.
    pub fn too_complex(&self) -> ServerError {
        too_complex(&self.limits)
    }

    fn check_length(&self, text: &str) -> Result<(), ServerError> {
        let longest = self.longest();
        if text.len() > longest { Err(refused("TOO_LARGE", format!("the document is too long: at most {longest} bytes"))) } else { Ok(()) }
    }

    /// Parses a document, and refuses one that can't be parsed or asks for too much.
    pub fn read(&self, text: &str) -> Result<ExecutableDocument, ServerError> {
        self.check_length(text)?;
        // Before it is parsed: parsing is what a very long document makes expensive, and it goes as deep as the brackets do.
        let Some(scanned) = text::scan(text) else { return Err(refused("INVALID", "a text that begins with \"\"\" has no end".into())) };
        if scanned.tokens > self.limits.tokens {
            return Err(refused("TOO_LARGE", format!("the document is too long: at most {} tokens", self.limits.tokens)));
        }
        if scanned.brackets > BRACKETS {
            return Err(self.too_deep());
        }
        let document = parse_query(&*without_long_escapes(text))?;
        self.check(&document)?;
        Ok(document)
    }

    fn check(&self, document: &ExecutableDocument) -> Result<(), ServerError> {
        let measured = measure::measure(document).map_err(|fault| match fault {
            Fault::TooDeep => self.too_deep(),
            Fault::Endless(fragment) => refused("INVALID", format!("the fragment {fragment} contains itself")),
        })?;
        let all = || measured.operations.iter().chain(&measured.fragments);
        if all().any(|part| part.depth > self.limits.depth || part.sets > SETS) {
            return Err(self.too_deep());
        }
        if all().any(|part| part.directives > DIRECTIVES) {
            return Err(refused("TOO_LARGE", format!("too many directives in one place: at most {DIRECTIVES}")));
        }
        let most = self.limits.tokens.saturating_mul(FIELDS_A_TOKEN);
        if all().fold(0, |sum: usize, part| sum.saturating_add(part.fields)) > most {
            return Err(refused("TOO_LARGE", format!("the document is too large: at most {most} fields, {SPREAD}")));
        }
        measured.operations.iter().try_for_each(|operation| self.check_operation(operation))
    }

    fn check_operation(&self, operation: &Measure) -> Result<(), ServerError> {
        if operation.schemas > 0 && self.limits.introspection == Switch::Off {
            // Of `__type`, which may be null, null is an answer: there is no such type to be seen.
            let message = "the schema is not shown here, unless the setting graphql.introspection is on";
            return Err(refused("INTROSPECTION_DISABLED", message.into()));
        }
        if operation.schema_lists > SCHEMA_LISTS {
            let message = "introspection goes too far: lists may lead into one another as in __schema { types { fields { args } } }, and no further";
            return Err(refused("TOO_COMPLEX", message.into()));
        }
        if operation.schema_fields > SCHEMA_FIELDS {
            return Err(refused("TOO_COMPLEX", format!("introspection asks for too much: at most {SCHEMA_FIELDS} fields, {SPREAD}")));
        }
        if operation.aliases > self.limits.aliases {
            let counted = "counting fields that come again in their set; what is in a fragment counts wherever it is spread";
            return Err(refused("TOO_LARGE", format!("too many aliases: at most {}, {counted}", self.limits.aliases)));
        }
        Ok(())
    }

    fn too_deep(&self) -> ServerError {
        refused("TOO_DEEP", format!("the query is nested too deep: at most {} levels", self.limits.depth))
    }
}

const SPREAD: &str = "counting those of a fragment wherever it is spread";

fn untrusted(why: Untrusted) -> ServerError {
    match why {
        // The message and the code by which Apollo's clients know that they have to send the text.
        Untrusted::UnknownId => refused("PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound".into()),
        Untrusted::OtherText => refused("INVALID", "query: is not the document of the id that came with it; send one of them".into()),
        Untrusted::NotListed => {
            let message =
                "only documents of a list are carried out here: send the id of one (documentId), or have this one listed (graphql.documents)";
            refused("DOCUMENT_NOT_TRUSTED", message.into())
        }
    }
}

/// What async-graphql says of a document that costs too much: neither what the limit is nor what would be right.
pub const TOO_COMPLEX: &str = "Query is too complex.";

/// The same with both.
pub fn too_complex(limits: &GraphqlLimits) -> ServerError {
    let most = limits.complexity;
    let counted = "counting each field of each item of each page; ask for smaller pages (first: 5)";
    refused("TOO_COMPLEX", format!("the query is too complex: at most {most}, {counted}"))
}

/// An error that says what was too much.
pub fn refused(code: &str, message: String) -> ServerError {
    let mut error = ServerError::new(message, None);
    error.extensions.get_or_insert_default().set("code", code);
    error
}
