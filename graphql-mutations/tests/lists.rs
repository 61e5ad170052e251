//! The arguments of a list in the schema are the filters and orders that the list has.

use std::collections::{BTreeMap, BTreeSet};

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{TypeKind, TypeSystemDefinition};
use resolvers::explore::{FilterSet, Link, Number, links, lists, nodes};

/// Lists that REST alone reads.
const OF_REST: [&str; 3] = ["Query.deadLetters", "Query.formerObservationFeedback", "Query.riskScores"];

/// What is looked at of the schema.
#[derive(Default)]
struct Schema {
    /// By `Type.field`: the arguments besides those of the page, each as `name: Type`.
    arguments: BTreeMap<String, BTreeSet<String>>,
    /// The values of enums.
    values: BTreeMap<String, BTreeSet<String>>,
}

impl Schema {
    fn read() -> Self {
        let document = parse_schema(graphql_mutations::sdl()).expect("a schema document");
        let mut read = Self::default();
        for definition in document.definitions {
            let TypeSystemDefinition::Type(definition) = definition else { continue };
            let name = definition.node.name.node.to_string();
            match definition.node.kind {
                TypeKind::Object(object) => {
                    for field in object.fields {
                        let arguments = field.node.arguments.iter().map(|argument| format!("{}: {}", argument.node.name.node, argument.node.ty.node));
                        let of_page = ["first: Int", "after: String", "last: Int", "before: String"];
                        let own = arguments.filter(|argument| !of_page.contains(&argument.as_str())).collect();
                        read.arguments.insert(format!("{name}.{}", field.node.name.node), own);
                    }
                }
                TypeKind::Enum(of) => {
                    read.values.insert(name, of.values.iter().map(|value| value.node.value.node.to_string()).collect());
                }
                _ => {}
            }
        }
        read
    }
}

/// All links and lists that are read by pages.
fn pages() -> impl Iterator<Item = &'static Link> {
    links::ALL.iter().chain(lists::ALL.iter().map(|list| &list.link)).filter(|link| link.number == Number::Pages)
}

/// The arguments for the filters of a list. Where the schema offers none, REST, a record of a date or a payload has them.
fn of_filters(filters: FilterSet) -> &'static [&'static str] {
    match filters {
        FilterSet::None | FilterSet::CaseActors | FilterSet::Versions | FilterSet::Locations | FilterSet::Scores | FilterSet::FormerFeedback => &[],
        FilterSet::Actors => &["known: Boolean", "filter: ActorFilter"],
        FilterSet::Accounts => &["known: Boolean"],
        FilterSet::Associates => &["filter: AssociateFilter", "asOf: DateTime"],
        FilterSet::RiskAssessments => &["filter: RiskAssessmentFilter"],
        FilterSet::Past | FilterSet::Owners => &["asOf: DateTime"],
        FilterSet::Members => &["asOf: DateTime", "filter: SegmentationMemberFilter"],
        FilterSet::Groups => &["filter: SegmentationGroupFilter"],
        FilterSet::Users => &["filter: UserFilter"],
        FilterSet::Workflows => &["filter: WorkflowFilter"],
        FilterSet::BulkRequests => &["requestId: String"],
        FilterSet::Properties => &["entity: CustomPropertyEntity"],
        FilterSet::Requests => &["filter: RequestForDataFilter"],
        FilterSet::Transactions => &["filter: TransactionFilter"],
        FilterSet::Transfers => &["filter: TransferFilter"],
        FilterSet::Cases => &["filter: CaseFilter"],
        FilterSet::ActorRisks => &["filter: ActorRiskFilter"],
        FilterSet::BulkItems => &["filter: BulkItemFilter"],
        FilterSet::Observations => &["filter: ObservationFilter"],
        FilterSet::Feedback => &["filter: ObservationFeedbackFilter"],
        FilterSet::ClearedMatches => &["filter: ClearedMatchFilter"],
        FilterSet::Signals => &["filter: SuppressedSignalFilter"],
        FilterSet::Communications => &["filter: CommunicationFilter"],
        FilterSet::Screenings => &["filter: ScreeningFilter"],
        FilterSet::Events => &["filter: EventFilter"],
        FilterSet::Deliveries => &["filter: DeliveryFilter"],
        FilterSet::AuditEntries => &["filter: AuditEntryFilter"],
    }
}

/// The name of the input object by which a list is ordered; none where nobody chooses its order. Some lists have one field, and two directions to choose from.
fn order_of(link: &Link) -> Option<&'static str> {
    let order = match link.filters {
        FilterSet::AuditEntries => return Some("AuditEntryOrder"),
        FilterSet::ActorRisks => return Some("ScoredActorOrder"),
        FilterSet::Feedback => return Some("ObservationFeedbackOrder"),
        FilterSet::Signals => return Some("SuppressedSignalOrder"),
        FilterSet::ClearedMatches => return Some("ClearedMatchOrder"),
        FilterSet::Transactions if link.name == "Query.transactions" => return Some("TransactionListOrder"),
        FilterSet::Actors => "ActorOrder",
        FilterSet::Transactions => "TransactionOrder",
        FilterSet::Transfers => "TransferOrder",
        FilterSet::Cases => "CaseOrder",
        FilterSet::Observations => "ObservationOrder",
        FilterSet::Communications => "CommunicationOrder",
        FilterSet::Requests => "RequestForDataOrder",
        FilterSet::Deliveries => "DeliveryOrder",
        FilterSet::Users => "UserOrder",
        _ => return None,
    };
    (link.sorts.len() > 1).then_some(order)
}

#[test]
fn a_list_takes_the_arguments_of_its_filters_and_orders() {
    let mut schema = Schema::read();
    let mut missing = BTreeSet::new();
    for link in pages() {
        // Tags of the graph are tags of cases.
        let field = link.name.strip_prefix("Tag.").map_or_else(|| link.name.to_owned(), |field| format!("CaseTag.{field}"));
        let Some(mut arguments) = schema.arguments.remove(&field) else {
            missing.insert(link.name);
            continue;
        };
        // Deprecated: `orderBy` is in its place.
        arguments.remove("order: SortDirection");
        // The filter has it, too.
        arguments.remove("overdue: Boolean");
        let of_filters = of_filters(link.filters).iter().map(ToString::to_string);
        let expected: BTreeSet<String> = of_filters.chain(order_of(link).map(|order| format!("orderBy: {order}"))).collect();
        assert_eq!(arguments, expected, "{}", link.name);
    }
    assert_eq!(missing, BTreeSet::from(OF_REST), "lists that are no fields of the schema");
}

#[test]
fn each_kind_of_nodes_is_refetched_by_its_node_id() {
    let refetchable: BTreeSet<&str> = graphql_api::query::refetchable().map(|(label, _)| label).collect();
    let missing: Vec<&str> = nodes::ALL.iter().map(|node| node.label).filter(|label| !refetchable.contains(label)).collect();
    assert!(missing.is_empty(), "kinds that `node` does not find: {missing:?}");
    let names: BTreeSet<&str> = graphql_api::query::refetchable().map(|(_, name)| name).collect();
    assert_eq!(names.len(), graphql_api::query::refetchable().count(), "two kinds share what a `nodeId` begins with");
    let schema = Schema::read();
    for (label, name) in graphql_api::query::refetchable() {
        // A nodeId begins with the type, or with the kind of an identity.
        let kind = if nodes::node(label).is_some_and(|node| node.is_identity()) { "Identity" } else { name };
        for field in ["id", "nodeId"] {
            assert!(schema.arguments.contains_key(&format!("{kind}.{field}")), "{kind}.{field}");
        }
    }
}

#[test]
fn the_fields_of_an_order_are_the_orders_of_its_list() {
    let schema = Schema::read();
    let mut met = BTreeSet::new();
    for link in pages() {
        let Some(order) = order_of(link) else { continue };
        // By these amounts are compared where the filter names no currency; nobody asks for them by name.
        let named = link.sorts.iter().map(|sort| sort.name).filter(|name| !name.starts_with("STANDARDIZED_") && *name != "OVERDUE_AT");
        let expected: BTreeSet<String> = named.map(str::to_owned).collect();
        assert_eq!(schema.values[&format!("{order}Field")], expected, "{}", link.name);
        met.insert(order);
    }
    assert_eq!(met.len(), 15, "{met:?}");
}
