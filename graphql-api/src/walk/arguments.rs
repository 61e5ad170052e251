//! What a document says of a link: which page, in which order, with which filter. Read ahead and by the field itself in the same way.
//!
//! The filters of a list say which arguments its field has. An argument, a filter or an order that the list does not have is a defect, and an error.

use async_graphql::{InputType, Name, Result, SelectionField, Value};
use graph_schema::date::Timestamp;
use resolvers::Error;
use resolvers::explore::{
    AccountFilter, ActorFilter, BulkRequestFilter, FilterSet, Link, ListFilter, OwnerFilter, Page, PastFilter, PropertyFilter, RequestFilter,
    SortDirection, TransactionFilter, TransferFilter, lists,
};

use super::super::account::TransferFilterInput;
use super::super::bulk::BulkItemFilterInput;
use super::super::case::CaseFilterInput;
use super::super::case::request::RequestFilterInput;
use super::super::observation::{FeedbackFilterInput, ObservationFilterInput, SignalFilterInput};
use super::super::page::PageArguments;
use super::super::refused;
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
        let (mut page, mut filter) = (PageArguments::default(), ListFilter::All);
        let (mut order_by, mut order) = (None, None);
        for (name, value) in field.arguments()? {
            if value == Value::Null {
                continue;
            }
            match name.as_str() {
                "first" => page.first = parsed(value)?,
                "after" => page.after = parsed(value)?,
                "last" => page.last = parsed(value)?,
                "before" => page.before = parsed(value)?,
                "orderBy" => order_by = Some(value),
                "order" => order = Some(value),
                name => filter = filtered(link, filter, (name, value), now)?,
            }
        }
        let order = match (order_by, order) {
            (Some(_), Some(_)) => return Err("order: give orderBy or order, not both".into()),
            (Some(value), None) => ordered(link, &value, &filter)?,
            (None, None) => usual(link, &filter)?,
            (None, Some(value)) => Page { direction: direction(&value), ..usual(link, &filter)? },
        };
        Ok(Self { page, filter, order })
    }
}

/// The filter of a list as one of its arguments says it; `said` is what the arguments before have said.
fn filtered(link: &Link, said: ListFilter, (name, value): (&str, Value), now: Timestamp) -> Result<ListFilter> {
    Ok(match (link.filters, name) {
        (FilterSet::Actors, "known") => ListFilter::Actors(ActorFilter { known: parsed(value)? }),
        (FilterSet::Accounts, "known") => ListFilter::Accounts(AccountFilter { known: parsed(value)? }),
        (FilterSet::Past, "asOf") => ListFilter::Past(PastFilter { known_at: parsed(value)? }),
        (FilterSet::Owners, "asOf") => ListFilter::Owners(OwnerFilter { actor: None, known_at: parsed(value)? }),
        (FilterSet::BulkRequests, "requestId") => ListFilter::BulkRequests(BulkRequestFilter { request_id: parsed(value)? }),
        (FilterSet::Properties, "entity") => ListFilter::Properties(PropertyFilter { entity: parsed(value)?, name: None }),
        (FilterSet::Transactions, "filter") => parsed::<TransactionFilterInput>(value)?.into_filter()?,
        (FilterSet::Transfers, "filter") => parsed::<TransferFilterInput>(value)?.into_filter()?,
        (FilterSet::Cases, "filter") => parsed::<CaseFilterInput>(value)?.into_filter()?,
        (FilterSet::ActorRisks, "filter") => parsed::<ActorRiskFilterInput>(value)?.into_filter()?,
        (FilterSet::BulkItems, "filter") => parsed::<BulkItemFilterInput>(value)?.into_filter()?,
        (FilterSet::Observations, "filter") => parsed::<ObservationFilterInput>(value)?.into_filter()?,
        (FilterSet::Feedback, "filter") => parsed::<FeedbackFilterInput>(value)?.into_filter()?,
        (FilterSet::Signals, "filter") => parsed::<SignalFilterInput>(value)?.into_filter()?,
        (FilterSet::ClearedMatches, "filter") => parsed::<ClearedMatchFilterInput>(value)?.into_filter(now),
        (FilterSet::Events, "filter") => parsed::<EventFilterInput>(value)?.into_filter()?,
        (FilterSet::Deliveries, "filter") => parsed::<DeliveryFilterInput>(value)?.into_filter()?,
        (FilterSet::Requests, "filter") => {
            let RequestFilter { overdue, not_overdue, .. } = of_requests(said);
            ListFilter::Requests(RequestFilter { overdue, not_overdue, ..parsed::<RequestFilterInput>(value)?.into_filter()? })
        }
        (FilterSet::Requests, "overdue") => {
            let (overdue, not_overdue) = if parsed::<bool>(value)? { (Some(now), None) } else { (None, Some(now)) };
            ListFilter::Requests(RequestFilter { overdue, not_overdue, ..of_requests(said) })
        }
        _ => return Err(unknown(link, "argument", name)),
    })
}

/// What the other argument of a list of requests for data has said, if it came first.
fn of_requests(said: ListFilter) -> RequestFilter {
    match said {
        ListFilter::Requests(filter) => filter,
        _ => RequestFilter::default(),
    }
}

/// The order of a list whose document names none: that of totals is by those of the filter's currency, that of what is overdue the longest overdue first,
/// as the index of those has no others.
fn usual(link: &'static Link, filter: &ListFilter) -> Result<Page> {
    let usual = link.usual_page();
    match filter {
        ListFilter::Transfers(TransferFilter { currency: Some(_), .. }) => sorted(link, "TOTAL", usual.direction),
        ListFilter::Requests(RequestFilter { overdue: Some(_), .. }) => sorted(link, lists::OVERDUE_AT, SortDirection::Ascending),
        _ => Ok(usual),
    }
}

/// An input object of a field and a direction; from large to small where it says none. Amounts in several currencies are not compared as numbers: without
/// a currency that the filter names, the order is by what they are in the platform's default currency.
fn ordered(link: &'static Link, value: &Value, filter: &ListFilter) -> Result<Page> {
    let part = |name: &str| match value {
        Value::Object(parts) => parts.get(name),
        _ => None,
    };
    let name = part("field").and_then(word).unwrap_or_default();
    let currency = match filter {
        ListFilter::Transactions(TransactionFilter { currency, .. }) | ListFilter::Transfers(TransferFilter { currency, .. }) => currency.as_deref(),
        _ => None,
    };
    let name = match (link.filters, name, currency) {
        (FilterSet::Transactions, "AMOUNT", None) => "STANDARDIZED_AMOUNT",
        (FilterSet::Transfers, "TOTAL", None) => "STANDARDIZED_TOTAL",
        _ => name,
    };
    sorted(link, name, part("direction").map_or(SortDirection::Descending, direction))
}

fn sorted(link: &'static Link, name: &str, direction: SortDirection) -> Result<Page> {
    let sort = link.sort(name).ok_or_else(|| unknown(link, "order", name))?;
    Ok(Page { sort, direction })
}

/// A field has what its list does not know of.
fn unknown(link: &Link, what: &str, name: &str) -> async_graphql::Error {
    refused(Error::Internal(format!("{} has no {what} {name}", link.name)))
}

fn parsed<T: InputType>(value: Value) -> Result<T> {
    T::parse(Some(value)).map_err(|error| async_graphql::Error::new(error.into_server_error(async_graphql::Pos::default()).message))
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
