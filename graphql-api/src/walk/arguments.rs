//! What a document says of a link: which page, in which order, with which filter. Read ahead and by the field itself in the same way.

use async_graphql::{InputType, Name, Result, SelectionField, Value};
use graph_schema::date::Timestamp;
use resolvers::explore::{Link, ListFilter, Overdue, Page, PropertyFilter, RequestFilter, SortDirection, lists};

use super::super::account::TransferFilterInput;
use super::super::bulk::BulkItemFilterInput;
use super::super::case::CaseFilterInput;
use super::super::case::request::RequestFilterInput;
use super::super::observation::{FeedbackFilterInput, ObservationFilterInput, SignalFilterInput};
use super::super::page::PageArguments;
use super::super::risk::ActorRiskFilterInput;
use super::super::screening::ClearedMatchFilterInput;
use super::super::transaction::TransactionFilterInput;
use super::super::webhook::{DeliveryFilterInput, EventFilterInput};

/// The arguments of a field that is a link or a list.
pub struct LinkArguments {
    pub page: PageArguments,
    pub filter: ListFilter,
    pub order: Page,
}

impl LinkArguments {
    /// Reads them, `now` being when they were asked. What is of a wrong type has been refused before.
    pub fn read(field: SelectionField<'_>, link: &'static Link, now: Timestamp) -> Result<Self> {
        let (mut page, mut filter, mut order) = (PageArguments::default(), ListFilter::All, link.usual_page());
        let arguments = field.arguments()?;
        let is_said = |wanted: &str| arguments.iter().any(|(name, value)| name.as_str() == wanted && *value != Value::Null);
        if is_said("orderBy") && is_said("order") {
            return Err("order: give orderBy or order, not both".into());
        }
        for (name, value) in arguments {
            if value == Value::Null {
                continue;
            }
            match name.as_str() {
                "first" => page.first = parsed(value)?,
                "after" => page.after = parsed(value)?,
                "last" => page.last = parsed(value)?,
                "before" => page.before = parsed(value)?,
                "asOf" => filter = ListFilter::KnownAt(parsed(value)?),
                "known" => filter = ListFilter::Known(parsed(value)?),
                "filter" if link.filter("minTotal").is_some() => filter = parsed::<TransferFilterInput>(value)?.into_filter()?,
                "filter" if link.filter("riskBands").is_some() => filter = parsed::<ActorRiskFilterInput>(value)?.into_filter()?,
                "requestId" => filter = ListFilter::BulkRequest(parsed(value)?),
                "filter" if link.to.label == "BulkItem" => filter = parsed::<BulkItemFilterInput>(value)?.into_filter()?,
                "filter" if link.to.label == "Case" => filter = parsed::<CaseFilterInput>(value)?.into_filter()?,
                "filter" if link.to.label == "Observation" => filter = parsed::<ObservationFilterInput>(value)?.into_filter()?,
                "filter" if link.to.label == "ObservationFeedback" => filter = parsed::<FeedbackFilterInput>(value)?.into_filter()?,
                "filter" if link.to.label == "SuppressedSignal" => filter = parsed::<SignalFilterInput>(value)?.into_filter()?,
                "filter" if link.to.label == "ClearedMatch" => filter = parsed::<ClearedMatchFilterInput>(value)?.into_filter(now),
                "filter" if link.to.label == "RequestForData" => {
                    let given = parsed::<RequestFilterInput>(value)?.into_filter()?;
                    filter = ListFilter::Requests(RequestFilter { overdue: overdue_of(&filter), ..given });
                }
                "overdue" => {
                    let overdue = parsed::<bool>(value)?;
                    order = if overdue { by_when_due(link) } else { order };
                    filter = with_overdue(filter, if overdue { Overdue::By(now) } else { Overdue::NotBy(now) });
                }
                "filter" if link.to.label == "Event" => filter = parsed::<EventFilterInput>(value)?.into_filter()?,
                "filter" if link.to.label == "Delivery" => filter = parsed::<DeliveryFilterInput>(value)?.into_filter()?,
                "filter" => filter = parsed::<TransactionFilterInput>(value)?.into_filter()?,
                "entity" => filter = ListFilter::Properties(PropertyFilter { entity: Some(parsed(value)?), name: None }),
                "orderBy" => order = ordered(&value, link),
                "order" => order.direction = direction(&value),
                _ => {}
            }
        }
        order = comparable(order, &filter, link);
        Ok(Self { page, filter, order })
    }
}

/// Amounts in several currencies are not compared as numbers: without a currency that the filter names, the order is by what they are in the platform's
/// default currency.
fn comparable(order: Page, filter: &ListFilter, link: &'static Link) -> Page {
    let name = match (order.sort.name, filter.currency()) {
        ("AMOUNT", None) => "STANDARDIZED_AMOUNT",
        ("TOTAL", None) => "STANDARDIZED_TOTAL",
        ("STANDARDIZED_TOTAL", Some(_)) => "TOTAL",
        (name, _) => name,
    };
    Page { sort: link.sort(name).unwrap_or(order.sort), ..order }
}

/// What the other argument of a list of requests for data has said, if it came first.
fn overdue_of(filter: &ListFilter) -> Option<Overdue> {
    match filter {
        ListFilter::Requests(RequestFilter { overdue, .. }) => *overdue,
        _ => None,
    }
}

fn with_overdue(filter: ListFilter, overdue: Overdue) -> ListFilter {
    let filter = match filter {
        ListFilter::Requests(filter) => filter,
        _ => RequestFilter::default(),
    };
    ListFilter::Requests(RequestFilter { overdue: Some(overdue), ..filter })
}

/// The longest overdue first: the index of those has no others.
fn by_when_due(link: &'static Link) -> Page {
    let sort = link.sort(lists::OVERDUE_AT).unwrap_or(link.usual_page().sort);
    Page { sort, direction: SortDirection::Ascending }
}

fn parsed<T: InputType>(value: Value) -> Result<T> {
    T::parse(Some(value)).map_err(|error| async_graphql::Error::new(error.into_server_error(async_graphql::Pos::default()).message))
}

/// An input object of a field and a direction; from large to small where it says none.
fn ordered(value: &Value, link: &'static Link) -> Page {
    let Value::Object(parts) = value else { return link.usual_page() };
    let sort = parts.get("field").and_then(word).and_then(|name| link.sort(name));
    let direction = parts.get("direction").map_or(SortDirection::Descending, direction);
    Page { sort: sort.unwrap_or(link.usual_page().sort), direction }
}

fn direction(value: &Value) -> SortDirection {
    match word(value) {
        Some("ASC") => SortDirection::Ascending,
        _ => SortDirection::Descending,
    }
}

/// An enum's name: as a document writes it, or as a variable has it.
fn word(value: &Value) -> Option<&str> {
    match value {
        Value::Enum(name) => Some(Name::as_str(name)),
        Value::String(text) => Some(text),
        _ => None,
    }
}
