//! Documents that are known beforehand: clients send their ids alone, and others can be refused.
//!
//! A list comes in one of the forms that clients' tools make: the manifest of Apollo's persisted queries, or a map of ids to texts as the compiler of Relay
//! and GraphQL Code Generator write it. A request names a document by `documentId`, or as Apollo's clients do by `extensions.persistedQuery.sha256Hash`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use async_graphql::{Request, Value};
use serde::Deserialize;

/// Under which name a request keeps the id of its document until the document is looked up.
pub const DOCUMENT_ID: &str = "documentId";
/// How GraphQL over HTTP marks an id that is a hash; lists have the hash alone.
const SHA256: &str = "sha256:";

/// A manifest, as far as it is heeded.
#[derive(Deserialize)]
struct Manifest {
    operations: Vec<ListedDocument>,
}

#[derive(Deserialize)]
struct ListedDocument {
    id: String,
    body: String,
}

/// What becomes of documents that are not in the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Others {
    #[default]
    Taken,
    Refused,
}

/// The documents that are known. Cheap to clone; all clones share.
#[derive(Clone, Default)]
pub struct TrustedDocuments {
    known: Arc<Known>,
    others: Others,
}

#[derive(Default)]
struct Known {
    by_id: HashMap<String, Arc<str>>,
    texts: HashSet<Arc<str>>,
}

/// Why a document is not carried out.
#[derive(Debug, PartialEq, Eq)]
pub enum Untrusted {
    /// None of the list has this id.
    UnknownId,
    /// The document of the id is another one than the text that came with it.
    OtherText,
    /// It is not in the list, and others are refused.
    NotListed,
}

impl TrustedDocuments {
    /// Reads a list; the error says what is wrong with it.
    pub fn read(text: &str, others: Others) -> Result<Self, String> {
        let mut known = Known::default();
        for (id, body) in entries(text)? {
            let body: Arc<str> = known.texts.get(body.as_str()).cloned().unwrap_or_else(|| body.into());
            known.texts.insert(Arc::clone(&body));
            let id = id.strip_prefix(SHA256).unwrap_or(&id).to_owned();
            if let Some(other) = known.by_id.insert(id.clone(), Arc::clone(&body))
                && other != body
            {
                return Err(format!("two documents have the id {id}"));
            }
        }
        if known.by_id.is_empty() { Err("it has no documents".to_owned()) } else { Ok(Self { known: Arc::new(known), others }) }
    }

    /// Ids and texts of all that are listed, in the order of the ids.
    pub fn listed(&self) -> impl Iterator<Item = (&str, &str)> {
        let sorted: BTreeMap<&str, &str> = self.known.by_id.iter().map(|(id, text)| (id.as_str(), &**text)).collect();
        sorted.into_iter()
    }

    /// Gives a request the text of the document that it names by its id. `may_send_others`: whoever asks is not held to the list.
    pub fn resolve(&self, request: &mut Request, may_send_others: bool) -> Result<(), Untrusted> {
        // It stays with the request, which may come here again.
        let id = match request.extensions.get(DOCUMENT_ID) {
            Some(Value::String(id)) => Some(id.as_str()),
            _ => None,
        };
        let named = id.map(|id| self.known.by_id.get(id.strip_prefix(SHA256).unwrap_or(id)));
        match named {
            Some(Some(text)) if request.query.is_empty() => {
                request.query = text.to_string();
                return Ok(());
            }
            Some(Some(text)) if **text != *request.query => return Err(Untrusted::OtherText),
            Some(None) if request.query.is_empty() => return Err(Untrusted::UnknownId),
            // What comes with its text is looked at by its text: Apollo's clients send both when an id was not known.
            Some(_) | None => {}
        }
        let is_taken = self.others == Others::Taken || may_send_others || self.known.texts.contains(request.query.as_str());
        if is_taken { Ok(()) } else { Err(Untrusted::NotListed) }
    }
}

impl fmt::Debug for TrustedDocuments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} trusted documents, others are {:?}", self.known.by_id.len(), self.others)
    }
}

/// Ids and texts of a list in any of its forms.
fn entries(text: &str) -> Result<Vec<(String, String)>, String> {
    let list: serde_json::Value = serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"))?;
    let wanted = "it must be a manifest of persisted queries as Apollo has it, or an object of ids with their documents";
    let fields = list.as_object().ok_or(wanted)?;
    if fields.get("operations").is_some_and(serde_json::Value::is_array) {
        let list: Manifest = serde_json::from_value(list).map_err(|error| format!("{wanted}: {error}"))?;
        return Ok(list.operations.into_iter().map(|document| (document.id, document.body)).collect());
    }
    let map: BTreeMap<String, String> = serde_json::from_value(list).map_err(|error| format!("{wanted}: {error}"))?;
    Ok(map.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RELAY: &str = r#"{"aa": "{ a }", "sha256:bb": "{ b }"}"#;
    const APOLLO: &str = r#"{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [
        {"id": "aa", "name": "A", "type": "query", "body": "{ a }"}, {"id": "bb", "name": "B", "type": "query", "body": "{ b }"}]}"#;

    /// The text that is run for an id and a text.
    fn run(documents: &TrustedDocuments, id: Option<&str>, query: &str) -> Result<String, Untrusted> {
        let mut request = Request::new(query);
        if let Some(id) = id {
            request.extensions.insert(DOCUMENT_ID.to_owned(), Value::String(id.to_owned()));
        }
        documents.resolve(&mut request, false).map(|()| request.query)
    }

    #[test]
    fn a_document_is_found_by_its_id_and_others_are_taken_where_they_may_be() {
        let ok = |text: &str| Ok(text.to_owned());
        for list in [RELAY, APOLLO] {
            let read = |others| TrustedDocuments::read(list, others).expect("a list");
            for (id, query, also, only) in [
                (Some("aa"), "", ok("{ a }"), ok("{ a }")),
                (Some("sha256:aa"), "", ok("{ a }"), ok("{ a }")),
                (Some("bb"), "{ b }", ok("{ b }"), ok("{ b }")),
                (Some("bb"), "{ a }", Err(Untrusted::OtherText), Err(Untrusted::OtherText)),
                (Some("cc"), "", Err(Untrusted::UnknownId), Err(Untrusted::UnknownId)),
                (Some("cc"), "{ a }", ok("{ a }"), ok("{ a }")),
                (Some("cc"), "{ c }", ok("{ c }"), Err(Untrusted::NotListed)),
                (None, "{ a }", ok("{ a }"), ok("{ a }")),
                (None, "{ c }", ok("{ c }"), Err(Untrusted::NotListed)),
            ] {
                assert_eq!(run(&read(Others::Taken), id, query), also, "{id:?} {query}");
                assert_eq!(run(&read(Others::Refused), id, query), only, "{id:?} {query}");
            }
        }
        // Without a list.
        assert_eq!(run(&TrustedDocuments::default(), None, "{ a }"), ok("{ a }"));
        assert_eq!(run(&TrustedDocuments::default(), Some("aa"), ""), Err(Untrusted::UnknownId));
        let mut request = Request::new("{ c }");
        assert_eq!(TrustedDocuments::read(RELAY, Others::Refused).expect("a list").resolve(&mut request, true), Ok(()));
    }

    #[test]
    fn a_list_that_is_none_is_told_why() {
        for (text, problem) in [
            ("", "no JSON"),
            ("[]", "it must be a manifest"),
            ("{}", "no documents"),
            (r#"{"aa": 1}"#, "it must be a manifest"),
            (r#"{"operations": [{"id": "aa"}]}"#, "it must be a manifest"),
            (r#"{"aa": "{ a }", "sha256:aa": "{ b }"}"#, "two documents have the id aa"),
        ] {
            let told = TrustedDocuments::read(text, Others::Taken).expect_err("no list");
            assert!(told.contains(problem), "{text}: {told}");
        }
    }
}
