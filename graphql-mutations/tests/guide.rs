//! `docs/graphql.md` and `docs/screens`: their queries go with the schema, the guide names each document, and its tables have the codes of errors that
//! there are.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_graphql::extensions::{Extension, ExtensionContext, ExtensionFactory, NextExecute};
use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{TypeKind, TypeSystemDefinition};
use async_graphql::{Request, Response, ServerError, Value, Variables};

const GUIDE: &str = include_str!("../../docs/graphql.md");
pub const SCHEMA: &str = include_str!("../../docs/schema.graphql");

/// By one of these a line of source says a code.
const SIGNS: [&str; 6] = ["refused(\"", "Error::", "Refusal::", "StatusCode::", "CODE: &str", "\"code\""];

/// Ends a request behind its validation.
struct Unexecuted;

impl ExtensionFactory for Unexecuted {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Self)
    }
}

#[async_trait::async_trait]
impl Extension for Unexecuted {
    async fn execute(&self, _: &ExtensionContext<'_>, _: Option<&str>, _: NextExecute<'_>) -> Response {
        Response::new(Value::Null)
    }
}

#[tokio::test]
async fn every_query_of_the_guide_goes_with_the_schema() {
    let schema = graphql_mutations::builder().extension(Unexecuted).finish();
    let mut queries = 0;
    for (query, variables) in recipes().into_iter().chain(screens()) {
        let answer = schema.execute(Request::new(query.as_str()).variables(Variables::from_json(variables))).await;
        let faults: Vec<&ServerError> = answer.errors.iter().filter(|error| !is_of_a_missing_value(error)).collect();
        assert!(faults.is_empty(), "{query}\n{faults:?}");
        queries += 1;
    }
    assert!(queries > 5, "the guide has {queries} queries");
    let wrong = schema.execute("{ actors { edges { node { misspelt } } } }").await;
    assert!(!wrong.errors.is_empty(), "what does not go with the schema is found");
}

/// The documents of screens. They run with their variables in the suite, and have none here.
pub fn screens() -> Vec<(String, serde_json::Value)> {
    let texts = screen_files().into_iter().map(|path| fs::read_to_string(path).expect("a document"));
    texts.map(|text| (text, serde_json::Value::Null)).collect()
}

/// Where a cost depends on a variable that has no value; a variable that nobody has declared is told in other words.
fn is_of_a_missing_value(error: &ServerError) -> bool {
    error.message.starts_with("Variable ") && !error.message.contains('"')
}

fn screen_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/screens");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    files.sort();
    files
}

#[test]
fn the_guide_names_each_document_of_a_screen() {
    let named: BTreeSet<&str> = GUIDE.split("](screens/").skip(1).filter_map(|text| text.split(')').next()).filter(|name| !name.is_empty()).collect();
    let files = screen_files();
    let files: BTreeSet<&str> = files.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    assert_eq!(named, files);
}

/// The queries in their order, each with the variables that stand behind it.
pub fn recipes() -> Vec<(String, serde_json::Value)> {
    let mut recipes: Vec<(String, serde_json::Value)> = Vec::new();
    let mut lines = GUIDE.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else { continue };
        let text = lines.by_ref().take_while(|line| *line != "```").collect::<Vec<_>>().join("\n");
        if kind.starts_with("graphql") {
            recipes.push((text, serde_json::Value::Null));
        } else if let ("json", Some((_, variables))) = (kind, recipes.last_mut()) {
            *variables = serde_json::from_str(&text).expect("variables");
        }
    }
    recipes
}

#[test]
fn the_guide_has_each_code_of_an_error() {
    let (_, guide) = GUIDE.split_once("\n## Errors\n").expect("errors");
    let (errors, guide) = guide.split_once("\n### In payloads\n").expect("errors in payloads");
    let (payloads, _) = guide.split_once("\n## ").expect("what follows");
    assert_eq!(first_cells(errors), codes_in_source(), "extensions.code");
    assert_eq!(first_cells(payloads), codes_in_schema(), "codes of userErrors");
}

/// The codes in the first column of a table.
fn first_cells(section: &str) -> BTreeSet<String> {
    section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).map(str::to_owned).collect()
}

/// Values of the enums that errors of payloads have as `code`.
fn codes_in_schema() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for definition in parse_schema(SCHEMA).expect("the schema").definitions {
        let TypeSystemDefinition::Type(definition) = definition else { continue };
        if let TypeKind::Enum(of) = definition.node.kind
            && definition.node.name.node.as_str().ends_with("ErrorCode")
        {
            codes.extend(of.values.into_iter().map(|value| value.node.value.node.to_string()));
        }
    }
    codes
}

/// Codes that are written into `extensions`: by resolvers, by GraphQL over HTTP, and by what refuses requests before.
fn codes_in_source() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = vec![root.join("src/refusal.rs")];
    for folder in ["graphql-api/src", "graphql-http/src", "graphql-service/src"] {
        add_rust_files(&root.join(folder), &mut files);
    }
    let mut codes = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(file).expect("source");
        for line in text.lines().filter(|line| SIGNS.iter().any(|sign| line.contains(sign))) {
            let literals = line.split('"').skip(1).step_by(2);
            codes.extend(literals.filter(|literal| is_code(literal)).map(str::to_owned));
        }
    }
    codes
}

fn is_code(literal: &str) -> bool {
    literal.len() > 3 && literal.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_')
}

fn add_rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            add_rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
