//! A client of the last release works with the next one. The schema is compared with the released one; a change that may break a client fails, unless
//! `docs/schema.breaking` names it with a reason.

use std::collections::{BTreeMap, BTreeSet};

use async_graphql::Positioned;
use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{BaseType, FieldDefinition, InputValueDefinition, Type, TypeKind, TypeSystemDefinition};

const RELEASED: &str = include_str!("../../docs/schema.released.graphql");
const PRESENT: &str = include_str!("../../docs/schema.graphql");
const ACKNOWLEDGED: &str = include_str!("../../docs/schema.breaking");

#[test]
fn each_breaking_change_is_acknowledged() {
    let faults = faults_of(RELEASED, PRESENT, ACKNOWLEDGED);
    assert!(faults.is_empty(), "a deprecated member stays for one release; else docs/schema.breaking says why it can't:\n{}", faults.join("\n"));
}

#[test]
fn a_removed_member_breaks() {
    assert_eq!(changed("type Q { a: Int b: Int }", "type Q { a: Int }"), ["Q.b: was removed"]);
    assert_eq!(changed("type Q { a: Int } type R { b: Int }", "type Q { a: Int }"), ["R: was removed"]);
    assert_eq!(changed("enum E { A B }", "enum E { B }"), ["E.A: was removed"]);
    assert_eq!(changed("input I { a: Int b: Int }", "input I { b: Int }"), ["I.a: was removed"]);
    assert_eq!(changed("type Q { a(b: Int, c: Int): Int }", "type Q { a(c: Int): Int }"), ["Q.a.b: was removed"]);
    assert_eq!(changed("union U = A | B", "union U = A"), ["U.B: was removed"]);
    assert_eq!(changed("type Q implements N { a: Int }", "type Q { a: Int }"), ["Q implements N: was removed"]);
    assert_eq!(changed("enum E { A }", "scalar E"), ["E: was an enum and is a scalar", "E.A: was removed"]);
    assert_eq!(changed("directive @d(a: Int) on FIELD | SCHEMA", "directive @d(a: Int) on SCHEMA"), ["@d on Field: was removed"]);
}

#[test]
fn a_type_may_promise_more_and_ask_for_less() {
    for (before, after, faults) in [
        ("Int", "Int!", ["", "Q.a.b: was Int and is Int!"]),
        ("Int!", "Int", ["Q.a: was Int! and is Int", ""]),
        ("[Int]", "[Int!]", ["", "Q.a.b: was [Int] and is [Int!]"]),
        ("[Int!]!", "[Int]!", ["Q.a: was [Int!]! and is [Int]!", ""]),
        ("Int", "[Int]", ["Q.a: was Int and is [Int]", "Q.a.b: was Int and is [Int]"]),
        ("Int", "Float", ["Q.a: was Int and is Float", "Q.a.b: was Int and is Float"]),
    ] {
        let schema = |output: &str, input: &str| format!("type Q {{ a(b: {input}): {output} }}");
        let [of_output, of_input] = faults.map(|fault| if fault.is_empty() { Vec::new() } else { vec![fault.to_owned()] });
        assert_eq!(changed(&schema(before, "ID"), &schema(after, "ID")), of_output, "output {before} to {after}");
        assert_eq!(changed(&schema("ID", before), &schema("ID", after)), of_input, "input {before} to {after}");
    }
}

#[test]
fn what_is_new_may_not_be_required() {
    assert_eq!(changed("input I { a: Int }", "input I { a: Int b: Int c: Int! = 1 }"), Vec::<String>::new());
    assert_eq!(changed("input I { a: Int }", "input I { a: Int b: Int! }"), ["I.b: is new and required"]);
    assert_eq!(changed("type Q { a: Int }", "type Q { a(b: Int!): Int }"), ["Q.a.b: is new and required"]);
    assert_eq!(changed("type Q { a: Int }", "type Q { a: Int c(b: Int!): Int } input J { a: Int! } enum E { A }"), Vec::<String>::new());
}

#[test]
fn a_default_stays() {
    assert_eq!(changed("input I { a: Int = 1 }", "input I { a: Int = 2 }"), ["I.a: its default was 1 and is 2"]);
    assert_eq!(changed("input I { a: Int = 1 }", "input I { a: Int }"), ["I.a: its default was 1 and is none"]);
    assert_eq!(changed("input I { a: Int! = 1 }", "input I { a: Int! }"), ["I.a: its default was 1 and is none"]);
    assert_eq!(changed("input I { a: Int }", "input I { a: Int = 1 }"), Vec::<String>::new());
}

#[test]
fn an_acknowledgement_has_a_reason_and_a_change() {
    let (before, after) = ("type Q { a: Int b: Int }", "type Q { a: Int }");
    assert_eq!(faults_of(before, after, "# why\n\nQ.b: nobody reads it\n"), Vec::<String>::new());
    let faults = faults_of(before, after, "Q.b:\nQ.c: gone\nQ.b: once more\n");
    assert_eq!(faults, ["Q.b: acknowledged without a reason", "Q.c: acknowledged, but it does not break", "Q.b: acknowledged twice"]);
}

/// A part of the schema that clients may rely on.
#[derive(Debug)]
enum Member {
    /// A name that is there, and what it is.
    Named(&'static str),
    Root(String),
    Output(Type),
    Input {
        of: Type,
        default: Option<String>,
    },
}

/// Members by name: `Type`, `Type.member`, `Type.member.argument`, and those of directives by `@directive`.
type Members = BTreeMap<String, Member>;

/// Changes that nobody has acknowledged, and acknowledgements of no change.
fn faults_of(released: &str, present: &str, acknowledged: &str) -> Vec<String> {
    let changes = changes(&members_of(released), &members_of(present));
    let lines = acknowledged.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut known, mut faults) = (BTreeSet::new(), Vec::new());
    for line in lines {
        let (name, reason) = line.split_once(':').unwrap_or((line, ""));
        if !known.insert(name) {
            faults.push(format!("{name}: acknowledged twice"));
        } else if reason.trim().is_empty() {
            faults.push(format!("{name}: acknowledged without a reason"));
        } else if !changes.iter().any(|(changed, _)| changed == name) {
            faults.push(format!("{name}: acknowledged, but it does not break"));
        }
    }
    let open = changes.iter().filter(|(name, _)| !known.contains(name.as_str()));
    open.map(|(name, change)| format!("{name}: {change}")).chain(faults).collect()
}

fn changed(released: &str, present: &str) -> Vec<String> {
    faults_of(released, present, "")
}

/// Changes that may break a client, each with the name of the member.
fn changes(released: &Members, present: &Members) -> Vec<(String, String)> {
    let mut changes = Vec::new();
    for (name, before) in released {
        let change = match present.get(name) {
            Some(after) => change(before, after),
            // A type is reported once, without its members.
            None if wholes(name).any(|whole| released.contains_key(whole) && !present.contains_key(whole)) => None,
            None => Some("was removed".to_owned()),
        };
        changes.extend(change.map(|change| (name.clone(), change)));
    }
    for (name, member) in present.iter().filter(|(name, _)| !released.contains_key(*name)) {
        let of_released = name.rsplit_once('.').is_some_and(|(whole, _)| released.contains_key(whole));
        if of_released && matches!(member, Member::Input { of, default: None } if !of.nullable) {
            changes.push((name.clone(), "is new and required".to_owned()));
        }
    }
    changes
}

/// The names of what a member is part of.
fn wholes(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices(['.', ' ']).map(move |(end, _)| &name[..end])
}

fn change(before: &Member, after: &Member) -> Option<String> {
    match (before, after) {
        (Member::Named(before), Member::Named(after)) => (before != after).then(|| format!("was {before} and is {after}")),
        (Member::Root(before), Member::Root(after)) => (before != after).then(|| format!("was {before} and is {after}")),
        (Member::Output(before), Member::Output(after)) => (!promises(after, before)).then(|| format!("was {before} and is {after}")),
        (Member::Input { of: before, .. }, Member::Input { of: after, .. }) if !promises(before, after) => {
            Some(format!("was {before} and is {after}"))
        }
        (Member::Input { default: Some(before), .. }, Member::Input { default: after, .. }) if after.as_ref() != Some(before) => {
            Some(format!("its default was {before} and is {}", after.as_deref().unwrap_or("none")))
        }
        (Member::Input { .. }, Member::Input { .. }) => None,
        _ => Some("is another kind of member".to_owned()),
    }
}

/// Tells if each value of one type is also a value of another.
fn promises(narrow: &Type, wide: &Type) -> bool {
    let alike = match (&narrow.base, &wide.base) {
        (BaseType::Named(narrow), BaseType::Named(wide)) => narrow == wide,
        (BaseType::List(narrow), BaseType::List(wide)) => promises(narrow, wide),
        _ => false,
    };
    alike && (wide.nullable || !narrow.nullable)
}

fn members_of(sdl: &str) -> Members {
    let mut members = Members::new();
    for definition in parse_schema(sdl).expect("a schema document").definitions {
        match definition {
            TypeSystemDefinition::Schema(schema) => {
                let schema = schema.node;
                for (name, root) in [("query", schema.query), ("mutation", schema.mutation), ("subscription", schema.subscription)] {
                    members.extend(root.map(|root| (format!("schema.{name}"), Member::Root(root.node.to_string()))));
                }
            }
            TypeSystemDefinition::Type(definition) => {
                let definition = definition.node;
                add_type(&mut members, definition.name.node.as_str(), definition.kind);
            }
            TypeSystemDefinition::Directive(directive) => {
                let directive = directive.node;
                let name = format!("@{}", directive.name.node);
                members.extend(directive.locations.iter().map(|at| (format!("{name} on {:?}", at.node), Member::Named("a location"))));
                add_inputs(&mut members, &name, directive.arguments);
                members.insert(name, Member::Named("a directive"));
            }
        }
    }
    members
}

fn add_type(members: &mut Members, name: &str, kind: TypeKind) {
    let kind = match kind {
        TypeKind::Scalar => "a scalar",
        TypeKind::Object(object) => {
            members.extend(object.implements.iter().map(|of| (format!("{name} implements {}", of.node), Member::Named("an interface"))));
            add_fields(members, name, object.fields);
            "an object"
        }
        TypeKind::Interface(interface) => {
            members.extend(interface.implements.iter().map(|of| (format!("{name} implements {}", of.node), Member::Named("an interface"))));
            add_fields(members, name, interface.fields);
            "an interface"
        }
        TypeKind::Union(union) => {
            members.extend(union.members.iter().map(|of| (format!("{name}.{}", of.node), Member::Named("a member"))));
            "a union"
        }
        TypeKind::Enum(of) => {
            members.extend(of.values.iter().map(|value| (format!("{name}.{}", value.node.value.node), Member::Named("a value"))));
            "an enum"
        }
        TypeKind::InputObject(input) => {
            add_inputs(members, name, input.fields);
            "an input"
        }
    };
    members.insert(name.to_owned(), Member::Named(kind));
}

fn add_fields(members: &mut Members, of: &str, fields: Vec<Positioned<FieldDefinition>>) {
    for field in fields {
        let name = format!("{of}.{}", field.node.name.node);
        add_inputs(members, &name, field.node.arguments);
        members.insert(name, Member::Output(field.node.ty.node));
    }
}

fn add_inputs(members: &mut Members, of: &str, inputs: Vec<Positioned<InputValueDefinition>>) {
    for input in inputs {
        let name = format!("{of}.{}", input.node.name.node);
        let default = input.node.default_value.map(|value| value.node.to_string());
        members.insert(name, Member::Input { of: input.node.ty.node, default });
    }
}
