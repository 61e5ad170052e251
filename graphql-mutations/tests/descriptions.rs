//! Every type, field, input field and enum value of the schema has a description: tools show it beside the name, and it is the schema's only manual.

use std::iter;

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{
    ConstDirective, EnumType, InputObjectType, InterfaceType, ObjectType, TypeDefinition, TypeKind, TypeSystemDefinition,
};
use async_graphql::{Positioned, Value};

#[test]
fn every_member_of_the_schema_has_a_description() {
    let faults = faults_of(&graphql_mutations::sdl());
    assert!(faults.is_empty(), "a doc comment (///) where the member is declared becomes its description:\n{}", faults.join("\n"));
}

#[test]
fn a_description_that_is_missing_or_repeats_the_name_is_found() {
    let sdl = r#"
        "An account." type Account { "Its id in the sender's system." id: ID! accountNumber: String "" iban: String }
        "A filter of accounts." input AccountFilter { "The account number." accountNumber: String "Accounts with this IBAN." iban: String }
        "What an account is." enum AccountType { LOAN "A current account." CURRENT "Term deposit" TERM_DEPOSIT }
        interface Node { "An id that all types share." id: ID! name: String! }
        "A number with decimals." scalar Decimal
        scalar Date
    "#;
    let expected = [
        "Account: the description only repeats the name",
        "Account.accountNumber: has no description",
        "Account.iban: has no description",
        "AccountFilter.accountNumber: the description only repeats the name",
        "AccountType.LOAN: has no description",
        "AccountType.TERM_DEPOSIT: the description only repeats the name",
        "Node: has no description",
        "Node.name: has no description",
        "Date: has no description",
    ];
    assert_eq!(faults_of(sdl), expected);
}

#[test]
fn every_size_of_a_page_says_its_bounds_and_its_default() {
    let document = parse_schema(graphql_mutations::sdl()).expect("a schema document");
    let mut sizes = 0;
    for definition in &document.definitions {
        let TypeSystemDefinition::Type(definition) = definition else { continue };
        let TypeKind::Object(ObjectType { fields, .. }) = &definition.node.kind else { continue };
        for (field, argument) in fields.iter().flat_map(|field| field.node.arguments.iter().map(move |argument| (field, &argument.node))) {
            let name = argument.name.node.as_str();
            if !["first", "last"].contains(&name) {
                continue;
            }
            let said = text(&argument.description).unwrap_or_default();
            let words: Vec<&str> = said.split([' ', ';', '.', ':']).collect();
            let is_number = |word: &str| word.parse::<u32>().is_ok();
            let has_bounds = words.windows(3).any(|words| words[1] == "to" && is_number(words[0]) && is_number(words[2]));
            let has_default = name == "last" || argument.default_value.is_some() || said.contains("; 10 when ");
            assert!(has_bounds && has_default, "{}.{}({name}): {said}", definition.node.name.node, field.node.name.node);
            sizes += 1;
        }
    }
    assert!(sizes > 100, "{sizes} sizes of pages");
}

#[test]
fn what_is_deprecated_names_its_replacement_in_a_sentence() {
    let document = parse_schema(graphql_mutations::sdl()).expect("a schema document");
    let mut reasons = 0;
    for definition in &document.definitions {
        let TypeSystemDefinition::Type(definition) = definition else { continue };
        let members = members(&definition.node);
        for directive in directives(&definition.node).into_iter().filter(|directive| directive.name.node == "deprecated") {
            let Some(Value::String(reason)) = directive.get_argument("reason").map(|reason| &reason.node) else { panic!("{directive:?}") };
            let named = reason.strip_prefix("Use `").and_then(|rest| rest.strip_suffix("`."));
            let is_there = named.is_some_and(|named| members.iter().any(|(member, _)| *member == named));
            assert!(is_there, "{}: {reason}", definition.node.name.node);
            reasons += 1;
        }
    }
    assert!(reasons > 20, "{reasons} reasons");
}

/// The directives of all fields or values of a type.
fn directives(definition: &TypeDefinition) -> Vec<&ConstDirective> {
    let of_each: Vec<&Vec<Positioned<ConstDirective>>> = match &definition.kind {
        TypeKind::Object(ObjectType { fields, .. }) | TypeKind::Interface(InterfaceType { fields, .. }) => {
            fields.iter().map(|field| &field.node.directives).collect()
        }
        TypeKind::InputObject(InputObjectType { fields }) => fields.iter().map(|field| &field.node.directives).collect(),
        TypeKind::Enum(EnumType { values }) => values.iter().map(|value| &value.node.directives).collect(),
        TypeKind::Scalar | TypeKind::Union(_) => Vec::new(),
    };
    of_each.into_iter().flatten().map(|directive| &directive.node).collect()
}

/// Members without a description, or with one that says no more than the name, in the order of the document. Arguments are not looked at: the field's
/// description speaks of them.
fn faults_of(sdl: &str) -> Vec<String> {
    let document = parse_schema(sdl).expect("a schema document");
    let mut faults = Vec::new();
    for definition in &document.definitions {
        let TypeSystemDefinition::Type(definition) = definition else { continue };
        let definition = &definition.node;
        let name = definition.name.node.as_str();
        faults.extend(fault_of(name, text(&definition.description)).map(|fault| format!("{name}: {fault}")));
        for (member, description) in members(definition) {
            faults.extend(fault_of(member, description).map(|fault| format!("{name}.{member}: {fault}")));
        }
    }
    faults
}

/// The fields or values of a type, each with its description.
fn members(definition: &TypeDefinition) -> Vec<(&str, Option<&str>)> {
    match &definition.kind {
        TypeKind::Object(ObjectType { fields, .. }) | TypeKind::Interface(InterfaceType { fields, .. }) => {
            fields.iter().map(|field| (field.node.name.node.as_str(), text(&field.node.description))).collect()
        }
        TypeKind::InputObject(InputObjectType { fields }) => {
            fields.iter().map(|field| (field.node.name.node.as_str(), text(&field.node.description))).collect()
        }
        TypeKind::Enum(EnumType { values }) => values.iter().map(|value| (value.node.value.node.as_str(), text(&value.node.description))).collect(),
        TypeKind::Scalar | TypeKind::Union(_) => Vec::new(),
    }
}

fn text(description: &Option<Positioned<String>>) -> Option<&str> {
    description.as_ref().map(|text| text.node.as_str())
}

/// What is wrong with a member's description, if anything is.
fn fault_of(name: &str, description: Option<&str>) -> Option<&'static str> {
    match description.map(words).unwrap_or_default() {
        none if none.is_empty() => Some("has no description"),
        same if same == words(name) => Some("the description only repeats the name"),
        _ => None,
    }
}

/// The words of a name or sentence in small letters, without articles: those of `accountNumber`, `ACCOUNT_NUMBER` and "The account number." are equal.
fn words(text: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(text.len());
    for (before, letter) in iter::once(' ').chain(text.chars()).zip(text.chars()) {
        if before.is_ascii_lowercase() && letter.is_ascii_uppercase() {
            spaced.push(' ');
        }
        spaced.push(letter.to_ascii_lowercase());
    }
    let words = spaced.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| !["", "a", "an", "the"].contains(word)).map(str::to_owned).collect()
}
