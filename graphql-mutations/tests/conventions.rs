//! One thing is said in one way wherever the schema says it: orders, spans of time, lists of filters, pages. What is deprecated is left out.

use async_graphql::Positioned;
use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{ConstDirective, InputValueDefinition, ObjectType, Type, TypeDefinition, TypeKind, TypeSystemDefinition};

/// The types of a schema.
fn types_of(sdl: &str) -> Vec<TypeDefinition> {
    let definitions = parse_schema(sdl).expect("a schema document").definitions;
    let of_types = definitions.into_iter().filter_map(|definition| match definition {
        TypeSystemDefinition::Type(definition) => Some(definition.node),
        _ => None,
    });
    of_types.collect()
}

fn name_of(definition: &TypeDefinition) -> &str {
    definition.name.node.as_str()
}

/// The reason of `@deprecated`, where it is among these directives.
fn deprecation(directives: &[Positioned<ConstDirective>]) -> Option<String> {
    let directive = directives.iter().find(|directive| directive.node.name.node == "deprecated")?;
    Some(directive.node.get_argument("reason").map_or_else(String::new, |reason| reason.node.to_string()))
}

/// The members of an input that are not deprecated.
fn members(inputs: &[Positioned<InputValueDefinition>]) -> impl Iterator<Item = &InputValueDefinition> {
    inputs.iter().map(|input| &input.node).filter(|input| deprecation(&input.directives).is_none())
}

/// Each argument of each field, with the field's other arguments and its name as `Type.field`.
fn arguments(types: &[TypeDefinition]) -> impl Iterator<Item = (String, &InputValueDefinition, &[Positioned<InputValueDefinition>])> {
    let fields = types.iter().flat_map(|definition| {
        let TypeKind::Object(ObjectType { fields, .. }) = &definition.kind else { return Vec::new() };
        fields.iter().map(|field| (format!("{}.{}", name_of(definition), field.node.name.node), &field.node)).collect()
    });
    fields.flat_map(|(name, field)| field.arguments.iter().map(move |argument| (name.clone(), &argument.node, field.arguments.as_slice())))
}

fn description(input: &InputValueDefinition) -> &str {
    input.description.as_ref().map_or("", |text| text.node.as_str())
}

/// Arguments by which a list is ordered in another way than by `orderBy: {field, direction}`.
fn faults_of_orders(types: &[TypeDefinition]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut orders = Vec::new();
    for (field, argument, _) in arguments(types) {
        let (name, ty) = (argument.name.node.as_str(), argument.ty.node.to_string());
        if deprecation(&argument.directives).is_some() {
            continue;
        }
        if ["order", "sort", "sortBy", "orderField", "direction"].contains(&name) || ty.starts_with("SortDirection") {
            faults.push(format!("{field}({name}): orders are said by `orderBy`"));
        }
        if name == "orderBy" {
            orders.push(ty.clone());
        }
        if (name == "orderBy") != ty.trim_end_matches('!').ends_with("Order") {
            faults.push(format!("{field}({name}: {ty}): `orderBy` takes an order, and nothing else does"));
        }
    }
    for definition in types {
        let TypeKind::InputObject(input) = &definition.kind else { continue };
        let name = name_of(definition);
        let of: Vec<String> = input.fields.iter().map(|member| format!("{}: {}", member.node.name.node, member.node.ty.node)).collect();
        if name.ends_with("Order") && of != [format!("field: {name}Field!"), "direction: SortDirection!".to_owned()] {
            faults.push(format!("{name}: is not of `field` and `direction`, but of {}", of.join(", ")));
        }
        if name.ends_with("Order") && !orders.iter().any(|order| order == name) {
            faults.push(format!("{name}: no list takes it"));
        }
    }
    faults
}

#[test]
fn every_order_is_said_by_order_by() {
    let faults = faults_of_orders(&types_of(&graphql_mutations::sdl()));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn another_way_to_say_an_order_is_found() {
    let sdl = r#"
        type Query {
            a(order: SortDirection, orderBy: AOrder): Int
            b(sortBy: String, order: SortDirection @deprecated(reason: "Use `sortBy`.")): Int
            c(orderBy: CSorting): Int
        }
        input AOrder { field: AOrderField! direction: SortDirection! = DESC }
        input BOrder { field: AOrderField! }
    "#;
    let expected = [
        "Query.a(order): orders are said by `orderBy`",
        "Query.b(sortBy): orders are said by `orderBy`",
        "Query.c(orderBy: CSorting): `orderBy` takes an order, and nothing else does",
        "BOrder: is not of `field` and `direction`, but of field: AOrderField!",
        "BOrder: no list takes it",
    ];
    assert_eq!(faults_of_orders(&types_of(sdl)), expected);
}

#[test]
fn an_argument_that_is_deprecated_names_the_one_in_its_place() {
    let types = types_of(&graphql_mutations::sdl());
    let mut reasons = 0;
    for (field, argument, others) in arguments(&types) {
        let Some(reason) = deprecation(&argument.directives) else { continue };
        let named = |other: &&InputValueDefinition| reason.contains(&format!("Use `{}`.", other.name.node));
        assert!(members(others).any(|other| named(&other)), "{field}({}): {reason}", argument.name.node);
        reasons += 1;
    }
    assert!(reasons > 10, "{reasons} arguments");
}

#[test]
fn lists_of_a_filter_are_plural_and_spans_end_before_their_last_member() {
    let (mut lists, mut spans) = (0, 0);
    for definition in types_of(&graphql_mutations::sdl()) {
        let TypeKind::InputObject(input) = &definition.kind else { continue };
        if !name_of(&definition).ends_with("Filter") {
            continue;
        }
        for member in members(&input.fields) {
            let (name, ty) = (member.name.node.as_str(), member.ty.node.to_string());
            let at = format!("{}.{name}: {ty}", name_of(&definition));
            if ty.starts_with('[') {
                assert!(name.ends_with('s') && !name.to_lowercase().ends_with("status"), "{at}: name lists in the plural");
                lists += 1;
            }
            let is_time = ty.starts_with("DateTime");
            if is_time && (name == "from" || name.ends_with("From")) {
                assert!(description(member).contains("or later"), "{at}: the first moment is included");
            }
            if is_time && (name == "to" || name.ends_with("To")) {
                assert!(description(member).contains("efore this time"), "{at}: the last moment is not included");
                spans += 1;
            }
        }
    }
    assert!(lists > 30 && spans > 5, "{lists} lists and {spans} spans");
}

#[test]
fn every_page_has_nodes_beside_its_edges() {
    let mut pages = 0;
    for definition in types_of(&graphql_mutations::sdl()) {
        let TypeKind::Object(object) = &definition.kind else { continue };
        if !name_of(&definition).ends_with("Connection") {
            continue;
        }
        let ty = |name: &str| object.fields.iter().find(|field| field.node.name.node == name).map(|field| field.node.ty.node.clone());
        for list in ["edges", "nodes"] {
            assert!(ty(list).is_some_and(|ty| is_full_list(&ty)), "{}.{list}", name_of(&definition));
        }
        assert_eq!(ty("pageInfo").map(|ty| ty.to_string()).as_deref(), Some("PageInfo!"), "{}", name_of(&definition));
        pages += 1;
    }
    assert!(pages > 50, "{pages} pages");
}

/// Whether neither the list nor an item of it is ever null.
fn is_full_list(ty: &Type) -> bool {
    ty.to_string().starts_with('[') && ty.to_string().ends_with("!]!")
}

#[test]
fn every_scalar_names_the_document_that_says_what_its_values_are() {
    let mut scalars = 0;
    for definition in types_of(&graphql_mutations::sdl()) {
        if matches!(definition.kind, TypeKind::Scalar) {
            scalars += 1;
            assert!(definition.directives.iter().any(|directive| directive.node.name.node == "specifiedBy"), "{}", name_of(&definition));
        }
    }
    assert!(scalars > 2, "{scalars} scalars");
}
