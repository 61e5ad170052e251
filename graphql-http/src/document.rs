//! Documents, with what was found of them when they were run.
//!
//! async-graphql applies all its rules to a document each time that it runs it. That takes an eighth of what a page about one node costs the service. Only the
//! rules on arguments depend on variables. So a document that was valid once is valid with any variables of which the same are null, and whose values are
//! plainly of their types ([`is_plain`]). The rules are left out then; the limits are not. All rules look at whatever is not plain, and at documents that are
//! run as others than they were sent (`exact.rs`).

use std::sync::{PoisonError, RwLock};

use async_graphql::parser::types::{BaseType, ExecutableDocument, Type, VariableDefinition};
use async_graphql::{Name, Value, Variables};

use crate::page::SMALLEST_MOST;
use crate::selection::operation;
use crate::types::{Leaf, Types};

/// So many ways of giving variables are noted of one document, the last ones. Applications have a few.
const MOST_WAYS: usize = 16;
/// Nothing is noted of an operation with more variables.
const MOST_VARIABLES: usize = 64;

/// A document that keeps the limits.
pub struct Document {
    tree: ExecutableDocument,
    /// With which variables it was valid.
    valid: RwLock<Vec<Given>>,
}

/// What a document's being valid depends on, where all values of variables are plain.
#[derive(PartialEq, Eq)]
pub struct Given {
    operation: Option<String>,
    /// A bit for each variable that is null, in the order of their definitions.
    nulls: u64,
}

impl Document {
    /// One of which nothing is known.
    pub fn new(tree: ExecutableDocument) -> Self {
        Self { tree, valid: RwLock::default() }
    }

    pub fn tree(&self) -> &ExecutableDocument {
        &self.tree
    }

    /// How an operation has its variables, all of which have a value; nothing where one is not plain. `name`: the operation that the request names.
    pub fn given(&self, types: &Types, name: Option<&str>, variables: &Variables) -> Option<Given> {
        let definitions = &operation(&self.tree, name)?.node.variable_definitions;
        if definitions.len() > MOST_VARIABLES {
            return None;
        }
        let mut nulls = 0;
        for (at, definition) in definitions.iter().enumerate() {
            let VariableDefinition { name, var_type, .. } = &definition.node;
            let value = variables.get(&name.node)?;
            if *value == Value::Null {
                nulls |= 1 << at;
            }
            if !is_plain(types, value, &var_type.node) {
                return None;
            }
        }
        Some(Given { operation: name.map(str::to_owned), nulls })
    }

    /// Whether it was valid with variables that are given so.
    pub fn is_valid(&self, given: &Given) -> bool {
        self.valid.read().unwrap_or_else(PoisonError::into_inner).contains(given)
    }

    /// Notes that it was.
    pub fn note_valid(&self, given: Given) {
        let mut valid = self.valid.write().unwrap_or_else(PoisonError::into_inner);
        if valid.contains(&given) {
            return;
        }
        if valid.len() == MOST_WAYS {
            valid.remove(0);
        }
        valid.push(given);
    }
}

/// Whether a value is one of a type, and will do wherever a variable of the type may stand. Not each one that will do is plain: a number may be the size of a
/// page, so that large ones are not.
fn is_plain(types: &Types, value: &Value, of_type: &Type) -> bool {
    match (&of_type.base, value) {
        (_, Value::Null) => of_type.nullable,
        (BaseType::List(of_item), Value::List(items)) => items.iter().all(|item| is_plain(types, item, of_item)),
        (BaseType::List(of_item), item) => is_plain(types, item, of_item),
        (BaseType::Named(name), value) => match types.leaf(name) {
            Some(leaf) => is_plain_leaf(leaf, value),
            None => is_plain_object(types, name, value),
        },
    }
}

fn is_plain_leaf(leaf: &Leaf, value: &Value) -> bool {
    match (leaf, value) {
        (Leaf::Int, Value::Number(number)) => number.as_u64().is_some_and(|number| number <= SMALLEST_MOST as u64),
        (Leaf::Float, Value::Number(_)) | (Leaf::Text | Leaf::Id, Value::String(_)) | (Leaf::Boolean, Value::Boolean(_)) => true,
        (Leaf::Enum(values), Value::String(value)) => values.contains(value.as_str()),
        // A default.
        (Leaf::Enum(values), Value::Enum(value)) => values.contains(value),
        // Of these no rule knows anything: the field that takes it does.
        (Leaf::Scalar, _) => true,
        _ => false,
    }
}

fn is_plain_object(types: &Types, name: &Name, value: &Value) -> bool {
    let (Some(inputs), Value::Object(members)) = (types.input(name), value) else { return false };
    let are_known = members.keys().all(|member| inputs.iter().any(|input| input.name == *member));
    let are_plain = inputs.iter().all(|input| match members.get(&input.name) {
        Some(member) => is_plain(types, member, &input.of_type),
        None => input.of_type.nullable || input.has_default,
    });
    !types.is_one_of(name) && are_known && are_plain
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_graphql::parser::parse_query;
    use async_graphql::{
        Context, EmptyMutation, EmptySubscription, Enum, InputObject, InputValueResult, Object, Request, Scalar, ScalarType, Schema, ValidationMode,
    };
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::exact::Schemas;
    use crate::selection::take_variables;
    use crate::{exact, serving};

    struct Query;
    struct Number(i64);

    /// How often the schema without the rules has run something.
    #[derive(Clone, Default)]
    struct Ran(Arc<AtomicUsize>);

    fn ran(context: &Context<'_>) {
        if let Some(ran) = context.data_opt::<Ran>() {
            ran.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[Scalar]
    impl ScalarType for Number {
        fn parse(value: Value) -> InputValueResult<Self> {
            if let Value::String(text) = &value { Ok(Self(text.parse()?)) } else { Err("no text".into()) }
        }

        fn to_value(&self) -> Value {
            Value::String(self.0.to_string())
        }
    }

    #[derive(Enum, Clone, Copy, PartialEq, Eq)]
    enum Word {
        Yes,
        No,
    }

    #[derive(InputObject)]
    struct Input {
        word: Word,
        #[graphql(default = 3)]
        size: i32,
        number: Option<Number>,
        names: Option<Vec<String>>,
        inner: Option<Box<Input>>,
    }

    #[Object]
    impl Query {
        #[allow(clippy::too_many_arguments)]
        async fn echo(
            &self,
            context: &Context<'_>,
            int: Option<i32>,
            float: Option<f64>,
            text: Option<String>,
            yes: Option<bool>,
            id: Option<async_graphql::ID>,
            word: Option<Word>,
            number: Option<Number>,
            names: Option<Vec<String>>,
            input: Option<Input>,
            inputs: Option<Vec<Input>>,
            #[graphql(default = 7)] size: i32,
        ) -> String {
            ran(context);
            let inputs: Vec<String> = input.into_iter().chain(inputs.into_iter().flatten()).map(|input| input.told()).collect();
            let (word, number) = (word.map(|word| word == Word::Yes), number.map(|number| number.0));
            format!("{int:?} {float:?} {text:?} {yes:?} {id:?} {word:?} {number:?} {names:?} {inputs:?} {size}")
        }

        #[graphql(complexity = "first.unwrap_or(1) as usize")]
        async fn page(&self, context: &Context<'_>, first: Option<i32>, after: Option<String>, last: Option<i32>) -> String {
            ran(context);
            format!("{first:?} {after:?} {last:?}")
        }
    }

    impl Input {
        fn told(&self) -> String {
            let inner = self.inner.as_ref().map(|inner| inner.told());
            format!("{} {} {:?} {:?} {inner:?}", self.word == Word::Yes, self.size, self.number.as_ref().map(|number| number.0), self.names)
        }
    }

    const OPERATIONS: &[(&str, &str)] = &[
        ("Int", "echo(int: $v)"),
        ("Int! = 5", "echo(int: $v)"),
        ("Int", "echo(size: $v)"),
        ("Float", "echo(float: $v)"),
        ("String", "echo(text: $v)"),
        ("String!", "echo(names: [\"a\", $v])"),
        ("Boolean", "echo(yes: $v)"),
        ("ID", "echo(id: $v)"),
        ("Word", "echo(word: $v)"),
        ("Word!", "echo(input: {word: $v, inner: {word: $v}})"),
        ("Number", "echo(number: $v)"),
        ("[String!]", "echo(names: $v)"),
        ("Input", "echo(input: $v)"),
        ("Input!", "echo(inputs: [$v])"),
        ("[Input!]", "echo(inputs: $v)"),
        ("Int", "page(first: $v)"),
        ("Word = NO", "echo(word: $v)"),
        ("Boolean!", "page ... @include(if: $v) { page }"),
        ("Boolean!", "page ... @skip(if: $v) { page: echo }"),
        ("Boolean! = true", "page echo @skip(if: $v)"),
        ("Boolean!", "__schema { a: queryType { name } } __schema @skip(if: $v) { a: types { name } }"),
        ("String!", "__type(name: $v) { name }"),
        ("[String!]!", "__type(name: $v) { name }"),
        ("Number", "page __type(name: $v) { name }"),
    ];

    fn values() -> Vec<Json> {
        let mut values = vec![json!(null), json!(1), json!(0), json!(-1), json!(201), json!(1001), json!(3_000_000_000_i64), json!(1.5)];
        values.extend([json!("x"), json!("YES"), json!("7"), json!(true), json!([]), json!(["a"]), json!(["a", null]), json!([1]), json!({})]);
        let yes = json!({"word": "YES"});
        values.extend([
            json!({"word": "MAYBE"}),
            json!({"word": "NO", "size": null}),
            json!({"word": "NO", "misspelt": 1}),
            json!([yes, {"size": 1}]),
        ]);
        values.extend([
            json!({"word": "YES", "inner": {"word": 1}}),
            json!({"word": "YES", "number": 1, "names": "a", "inner": yes}),
            json!([yes, null]),
        ]);
        values.push(yes);
        values
    }

    const MOST: usize = 150;

    fn schemas() -> (Schemas<Schema<Query, EmptyMutation, EmptySubscription>>, Ran) {
        let ran = Ran::default();
        let schema = |mode| Schema::build(Query, EmptyMutation, EmptySubscription).validation_mode(mode).limit_complexity(MOST);
        (Schemas { strict: schema(ValidationMode::Strict).finish(), quick: schema(ValidationMode::Fast).data(ran.clone()).finish() }, ran)
    }

    fn parsed(text: &str) -> Arc<Document> {
        Arc::new(Document::new(parse_query(text).expect("a document")))
    }

    fn request(text: &str, value: &Json) -> Request {
        Request::new(text).variables(Variables::from_json(json!({"v": value})))
    }

    /// Whatever a document was sent with before, it is answered as if it came for the first time.
    #[tokio::test]
    async fn a_document_that_was_valid_is_answered_as_one_that_nobody_knows() {
        let (schemas, ran) = schemas();
        let types = Types::of(&schemas.strict.sdl());
        let ask = async |document: &Arc<Document>, text: &str, value: &Json| {
            let answer = serving::run(&schemas, &types, Arc::clone(document), request(text, value)).await;
            answer.map_or_else(|errors| json!({"errors": errors}), |response| serde_json::to_value(response).expect("JSON"))
        };
        for (of_type, field) in OPERATIONS {
            let text = format!("query($v: {of_type}) {{ {field} }}");
            for before in values() {
                let document = parsed(&text);
                ask(&document, &text, &before).await;
                for value in values() {
                    let (as_known, as_new) = (ask(&document, &text, &value).await, ask(&parsed(&text), &text, &value).await);
                    assert_eq!(as_known, as_new, "{text} with {value}, once it was asked with {before}");
                }
            }
        }
        // Else nothing was left out, and nothing compared.
        let ran = ran.0.load(Ordering::Relaxed);
        assert!(ran > 500, "{ran}");
    }

    #[tokio::test]
    async fn a_document_is_known_to_be_valid_for_the_operation_and_the_nulls_it_was_valid_with() {
        let (schemas, _) = schemas();
        let types = Types::of(&schemas.strict.sdl());
        let text = "query A($v: Int) { echo(int: $v) } query B($v: Int) { page(first: $v) }";
        let document = parsed(text);
        let given = |operation: &str, value: &Json| {
            let mut request = request(text, value).operation_name(operation);
            take_variables(&mut request).expect("variables");
            request.set_parsed_query(document.tree().clone());
            let given = document.given(&types, Some(operation), &request.variables);
            (request, given)
        };
        let is_known = |operation: &str, value: Json| given(operation, &value).1.is_some_and(|given| document.is_valid(&given));
        assert!(!is_known("A", json!(1)));
        exact::execute(&schemas, &types, &document, given("A", &json!(1)).0).await.expect("it is valid");
        for (operation, value, wanted) in [
            ("A", json!(1), true),
            ("A", json!(2), true),
            ("A", json!(201), false),
            ("A", json!(null), false),
            ("A", json!("1"), false),
            ("B", json!(1), false),
        ] {
            assert_eq!(is_known(operation, value.clone()), wanted, "{operation} {value}");
        }
    }

    #[tokio::test]
    async fn a_document_that_is_known_keeps_the_limit_of_its_cost() {
        let (schemas, ran) = schemas();
        let types = Types::of(&schemas.strict.sdl());
        let text = "query($v: Int!) { page(first: $v) }";
        let document = parsed(text);
        let mut told = Vec::new();
        for value in [1, 2, MOST, MOST + 1] {
            let answer = serving::run(&schemas, &types, Arc::clone(&document), request(text, &json!(value))).await.expect("it is valid");
            told.push(exact::is_refusal(&answer));
        }
        assert_eq!((told, ran.0.load(Ordering::Relaxed)), (vec![false, false, false, true], 2));
    }

    #[tokio::test]
    async fn what_is_not_valid_is_never_known_to_be() {
        let (schemas, _) = schemas();
        let types = Types::of(&schemas.strict.sdl());
        for text in ["{ misspelt }", "query($v: Int) { echo }", "{ echo(int: \"x\") }", "{ page(first: 2000, after: \"a\") }", "{ a: echo a: page }"]
        {
            let document = parsed(text);
            for _ in 0..2 {
                let answer = serving::run(&schemas, &types, Arc::clone(&document), request(text, &json!(1))).await;
                assert!(answer.is_err() || answer.is_ok_and(|response| exact::is_refusal(&response)), "{text}");
            }
            assert!(document.valid.read().expect("no panic").is_empty(), "{text}");
        }
    }
}
