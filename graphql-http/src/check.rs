//! Checking documents that nobody has sent yet: those of the list of trusted ones at the start, and those of a folder by a command.

use std::fmt;

use async_graphql::parser::types::{BaseType, DocumentOperations, ExecutableDocument, OperationDefinition, OperationType, VariableDefinition};
use async_graphql::{Executor, Name, Pos, Request, ServerError, Value, Variables};
use futures::StreamExt;

use crate::cost::Judge;
use crate::limits::{Documents, TOO_COMPLEX};
use crate::repeated::{each_once, is_for_want_of_a_value};
use crate::settings::GraphqlLimits;
use crate::trusted::TrustedDocuments;
use crate::types::Types;
use crate::variable_types::unknown_types;
use crate::{exact, merged};

/// Something that is wrong with a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFault {
    /// Where it is; none where it is the document as a whole.
    place: Option<Pos>,
    message: String,
}

impl DocumentFault {
    fn of(error: ServerError) -> Self {
        // Of several the last is where it shows: a variable that is not defined has the operation before its use.
        Self { place: error.locations.last().copied(), message: error.message }
    }

    /// The fault as compilers tell theirs, of a document of this name: `NAME:LINE:COLUMN: message`.
    pub fn told(&self, name: &dyn fmt::Display) -> String {
        match self.place {
            Some(place) => format!("{name}:{place}: {}", self.message),
            None => format!("{name}: {}", self.message),
        }
    }
}

/// Checks documents against a schema and the limits of every request. Nothing of them is carried out.
pub struct DocumentCheck<S> {
    judge: Judge<S>,
    /// It refuses what costs too much, and says nothing else of it.
    limited: Judge<S>,
    types: Types,
    documents: Documents,
}

impl<S: Executor> DocumentCheck<S> {
    /// The second judge has the limit of what a document may cost, the first has none. Both have these types.
    pub fn new((judge, limited): (Judge<S>, Judge<S>), types: Types, limits: &GraphqlLimits) -> Self {
        Self { judge, limited, types, documents: Documents::new(limits) }
    }

    /// The most bytes that a document may have.
    pub fn longest(&self) -> usize {
        self.documents.longest()
    }

    /// All that is wrong with the documents of a list, each fault with the id of its document.
    pub async fn faults_of_list(&self, list: &TrustedDocuments) -> Vec<String> {
        let mut faults = Vec::new();
        for (id, text) in list.listed() {
            faults.extend(self.faults(text).await.iter().map(|fault| fault.told(&id)));
            // Nothing is waited for in it, and there may be many.
            tokio::task::yield_now().await;
        }
        faults
    }

    /// All that is wrong with a document, in the order in which it stands there. Its variables have no values yet, so that of its cost that is judged which no
    /// variable decides.
    pub async fn faults(&self, text: &str) -> Vec<DocumentFault> {
        let errors = match self.documents.read(text) {
            Ok(document) => self.errors(&document).await,
            Err(error) => vec![error],
        };
        let mut faults: Vec<DocumentFault> = errors.into_iter().map(DocumentFault::of).collect();
        faults.sort_by_key(|fault| fault.place);
        faults.dedup();
        faults
    }

    async fn errors(&self, document: &ExecutableDocument) -> Vec<ServerError> {
        let unknown = unknown_types(&self.types, document);
        if !unknown.is_empty() {
            return unknown;
        }
        let mut errors = judged(&self.limited, document).await;
        if errors.iter().any(|error| error.message == TOO_COMPLEX) {
            errors = judged(&self.judge, document).await;
            errors.push(self.documents.too_complex());
        }
        errors.extend(exact::faults(&self.types, document, None, &Variables::default()));
        let mut errors = each_once(document, errors);
        for conflict in self.conflicts(document) {
            // Another rule may have found it already.
            if !errors.iter().any(|error| error.locations.last() == conflict.locations.last()) {
                errors.push(conflict);
            }
        }
        errors
    }

    /// Fields of one response key that are not one field, as requests for each of the operations would be told.
    fn conflicts(&self, document: &ExecutableDocument) -> Vec<ServerError> {
        let operations = document.operations.iter().map(|(name, operation)| (name, &operation.node));
        let of_each = operations.flat_map(|operation| [false, true].map(|holds| self.conflict(document, operation, holds)));
        of_each.flatten().collect()
    }

    /// The same of one operation, whose conditions all hold or all do not.
    fn conflict(&self, document: &ExecutableDocument, (name, operation): (Option<&Name>, &OperationDefinition), holds: bool) -> Option<ServerError> {
        let mut variables = Variables::default();
        for condition in operation.variable_definitions.iter().map(|definition| &definition.node).filter(|definition| is_condition(definition)) {
            variables.insert(condition.name.node.clone(), Value::Boolean(holds));
        }
        let name = name.map(Name::as_str);
        if operation.ty != OperationType::Mutation {
            return exact::conflict(document, name, &variables, &self.types);
        }
        let mut request = Request::new("").variables(variables.clone());
        request.operation_name = name.map(str::to_owned);
        request.set_parsed_query(document.clone());
        match merged::merge(&mut request) {
            Ok(together) => exact::conflict(together.as_ref().unwrap_or(document), name, &variables, &self.types),
            Err(conflict) => Some(conflict),
        }
    }
}

/// What a judge says of a document, but for what it can't say without values of variables.
async fn judged<S: Executor>(judge: &Judge<S>, document: &ExecutableDocument) -> Vec<ServerError> {
    // The rules look at every operation, whichever is named.
    let name = match &document.operations {
        DocumentOperations::Single(_) => None,
        DocumentOperations::Multiple(operations) => operations.keys().min().map(ToString::to_string),
    };
    let mut check = Request::new("");
    check.set_parsed_query(exact::unexecuted(document, name.as_deref()));
    check.operation_name = name;
    // A subscription answers with nothing where nothing is wrong.
    let answer = judge.execute_stream(check, None).next().await;
    let errors = answer.map(|answer| answer.errors).unwrap_or_default();
    let errors = each_once(document, errors);
    errors.into_iter().filter(|error| !is_for_want_of_a_value(&error.message)).collect()
}

/// Whether a variable may decide that a field is left out.
fn is_condition(definition: &VariableDefinition) -> bool {
    matches!(&definition.var_type.node.base, BaseType::Named(name) if name == "Boolean")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use async_graphql::{InputObject, Object, Schema, Subscription};
    use futures::{Stream, stream};

    use super::*;
    use crate::cost::judge;
    use crate::settings::Switch;

    struct Query;
    struct Mutation;
    struct Events;

    #[derive(InputObject)]
    struct Limit {
        first: usize,
    }

    #[Object]
    impl Query {
        #[graphql(complexity = "first + child_complexity")]
        async fn items(&self, first: usize) -> Vec<usize> {
            vec![first]
        }

        async fn limited(&self, by: Limit) -> usize {
            by.first
        }
    }

    #[Object]
    impl Mutation {
        async fn change(&self, to: usize) -> usize {
            to
        }
    }

    #[Subscription]
    impl Events {
        async fn news(&self) -> impl Stream<Item = usize> {
            stream::iter([1])
        }
    }

    #[tokio::test]
    async fn every_fault_of_a_document_is_told_with_its_place() {
        let limits = GraphqlLimits {
            depth: 5,
            complexity: 10,
            aliases: 3,
            tokens: 100,
            batch: 0,
            steps: 0,
            time: Duration::from_secs(1),
            introspection: Switch::Off,
            suggestions: Switch::Off,
            graphiql: Switch::Off,
            trusted: TrustedDocuments::default(),
        };
        let limited = Schema::build(Query, Mutation, Events).limit_complexity(limits.complexity).finish();
        let types = Types::of(&limited.sdl());
        let check = DocumentCheck::new((judge(|| Schema::new(Query, Mutation, Events)), judge(move || limited)), types, &limits);
        let table: [(&str, &[&str]); 22] = [
            ("query($n: Int!) { items(first: $n) }", &[]),
            ("subscription { news }", &[]),
            ("query A { items(first: 1) } query B($n: Int!) { items(first: $n) }", &[]),
            ("{ items(first: 1) {", &["a:1:"]),
            ("fragment F on Query { items(first: 1) }", &["a: document does not contain an operation"]),
            ("{ __schema { queryType { name } } }", &["a: the schema is not shown here"]),
            ("{\n  misspelt\n  items(first: true)\n}", &["a:2:3: Unknown field \"misspelt\"", "a:3:"]),
            ("query A { items(first: 1) } query B { items(first: $n) misspelt }", &["a:1:45: Variable \"$n\"", "a:1:56: Unknown field"]),
            ("subscription { misspelt }", &["a:1:16: Unknown field"]),
            ("{ limited(by: 1) misspelt }", &["a:1:11: Invalid value for argument \"by\"", "a:1:18: Unknown field"]),
            ("query($n: Int = 1) { items(first: $n) }", &[]),
            ("query($n: Int) { items(first: $n) }", &["a:1:24: Variable \"$n\" of type \"Int\" used in position \"first\" expecting type \"Int!\""]),
            ("query A { items(first: 1) } query B($n: ID!) { limited(by: {first: $n}) }", &["a:1:56: Variable \"$n\" of type \"ID!\""]),
            ("query($n: Int = \"x\") { items(first: $n) misspelt }", &["a:1:7: Invalid default value", "a:1:41: Unknown field"]),
            ("query($by: Limit = 1) { limited(by: $by) }", &["a:1:7: Invalid default value for argument: \"by\", expected type \"Limit\""]),
            ("query($all: [Misspelt] = [1]) { items(first: 1) }", &["a:1:7: Unknown type \"Misspelt\""]),
            // What is refused at each request, though async-graphql's rules take it.
            ("{ items(first: 11) misspelt }", &["a: the query is too complex: at most 10", "a:1:20: Unknown field"]),
            ("query A { items(first: 6) } query B { items(first: 5) }", &["a: the query is too complex"]),
            ("{ items(first: 1) ...F } fragment F on Query { items(first: 2) }", &["a:1:48: Fields \"items\" conflict"]),
            ("query($v: Boolean!) { items(first: 1) @include(if: $v) ... on Query { items(first: 2) } }", &["a:1:71: Fields \"items\" conflict"]),
            ("mutation { change(to: 1) ...F } fragment F on Mutation { change(to: 2) }", &["a:1:58: Fields \"change\" conflict"]),
            ("mutation($v: Boolean!) { change(to: 1) @include(if: $v) ...F } fragment F on Mutation { change(to: 1) }", &[]),
        ];
        for (text, faults) in table {
            let told: Vec<String> = check.faults(text).await.iter().map(|fault| fault.told(&"a")).collect();
            let are_told = faults.iter().all(|fault| told.iter().any(|told| told.starts_with(fault)));
            assert!(are_told && told.is_empty() == faults.is_empty(), "{text}: {told:?}");
        }
    }
}
