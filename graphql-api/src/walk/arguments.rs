//! The arguments of a link in a document: which page, in which order, with which filter. Read ahead and by the field itself in the same way. The filters of a
//! list say which arguments its field has; any other argument, and an order of another list, is a defect and an error.

use async_graphql::{Context, InputType, Result, SelectionField, Value};
use graph_schema::date::Timestamp;
use graphql_service::filtering::SortDirection;
use graphql_service::orders::{
    ActorOrder, CaseOrder, ClearedMatchOrder, CommunicationOrder, DeliveryOrder, ObservationFeedbackOrder, ObservationOrder, RequestForDataOrder,
    ScoredActorOrder, SuppressedSignalOrder, TransactionOrder, TransferOrder, TransferOrderField,
};
use graphql_service::risk::ActorRiskFilterInput;
use graphql_service::segmentation::MemberFilterInput;
use resolvers::Error;
use resolvers::explore::{
    AccountFilter, ActorFilter, ActorSort, AssociateFilter, BulkRequestFilter, CaseSort, ClearedMatchSort, CommunicationSort, DeliverySort,
    FeedbackSort, FilterSet, Link, ListFilter, MemberFilter, ObservationSort, OwnerFilter, Page, PastFilter, PropertyFilter, RequestFilter,
    RequestSort, ScoredActorSort, SignalSort,
};

use super::super::account::TransferFilterInput;
use super::super::actor::{ActorFilterInput, AssociateFilterInput, of_order};
use super::super::bulk::BulkItemFilterInput;
use super::super::case::request::RequestFilterInput;
use super::super::case::{CaseFilterInput, CommunicationFilterInput};
use super::super::observation::{FeedbackFilterInput, ObservationFilterInput, SignalFilterInput};
use super::super::page::PageArguments;
use super::super::risk::RiskAssessmentFilterInput;
use super::super::screening::{ClearedMatchFilterInput, ScreeningFilterInput};
use super::super::transaction::TransactionFilterInput;
use super::super::webhook::{DeliveryFilterInput, EventFilterInput};
use super::super::{asking, present, refused};

/// The present of a document, and the user behind the request: the meaning of some filters depends on them.
pub struct RequestContext {
    pub now: Timestamp,
    /// The id of the user behind the request.
    user: Option<String>,
}

impl RequestContext {
    /// Of the document that is being answered.
    pub fn of(context: &Context<'_>) -> Self {
        // Without the operations nothing is answered either.
        let user = asking(context).ok().and_then(|(_, caller)| caller.user.clone());
        Self { now: present(context).unwrap_or(Timestamp(0)), user }
    }

    /// The user whom the member `mine` of a filter means, where it says so.
    pub fn mine(&self, said: Option<bool>) -> Result<Option<&str>> {
        match (said, &self.user) {
            (Some(true), None) => Err(async_graphql::Error::new(
                "filter.mine: must be said with a token of a user, as cases are assigned to users; with an API key or a client's token leave it out",
            )),
            (Some(true), user) => Ok(user.as_deref()),
            _ => Ok(None),
        }
    }
}

/// The arguments of a field that is a link or a list.
pub struct LinkArguments {
    pub page: PageArguments,
    pub filter: ListFilter,
    pub order: Page,
}

impl LinkArguments {
    /// Reads them. What is of a wrong type has been refused before.
    pub fn read(field: SelectionField<'_>, link: &'static Link, request: &RequestContext) -> Result<Self> {
        let (mut page, mut filter, mut order_by, mut direction) = (PageArguments::default(), ListFilter::All, None, None::<SortDirection>);
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
                "order" => direction = parsed(value)?,
                name => filter = filtered(link, filter, (name, value), request)?,
            }
        }
        if order_by.is_some() && direction.is_some() {
            return Err("order: give orderBy or order, not both".into());
        }
        let order = ordered(link, order_by, &filter)?;
        let filter = if link.filters == FilterSet::Actors { of_order(filter, &order)? } else { filter };
        Ok(Self { page, filter, order: Page { direction: direction.map_or(order.direction, Into::into), ..order } })
    }
}

/// The filter of a list as a field says it that is no page of the list.
pub fn filter_of(field: SelectionField<'_>, link: &'static Link, request: &RequestContext) -> Result<ListFilter> {
    let said = field.arguments()?.into_iter().find(|(name, value)| name.as_str() == "filter" && *value != Value::Null);
    said.map_or(Ok(ListFilter::All), |(name, value)| filtered(link, ListFilter::All, (name.as_str(), value), request))
}

/// The filter of a list as one of its arguments says it; `said` is what the arguments before have said.
fn filtered(link: &Link, said: ListFilter, (name, value): (&str, Value), request: &RequestContext) -> Result<ListFilter> {
    let now = request.now;
    Ok(match (link.filters, name) {
        (FilterSet::Actors, "known") => {
            let (said, known) = (of_actors(said), parsed(value)?);
            ListFilter::Actors(ActorFilter { known: once(("known", "known"), said.known, known)?, ..said })
        }
        (FilterSet::Actors, "filter") => {
            let (said, filter) = (of_actors(said), parsed::<ActorFilterInput>(value)?.into_filter()?);
            ListFilter::Actors(ActorFilter { known: once(("filter.known", "known"), said.known, filter.known)?, ..filter })
        }
        (FilterSet::Associates, "asOf") => ListFilter::Associates(AssociateFilter { known_at: parsed(value)?, ..of_associates(said) }),
        (FilterSet::Associates, "filter") => parsed::<AssociateFilterInput>(value)?.into_filter(of_associates(said).known_at)?,
        (FilterSet::RiskAssessments, "filter") => parsed::<RiskAssessmentFilterInput>(value)?.into_filter()?,
        (FilterSet::Accounts, "known") => ListFilter::Accounts(AccountFilter { known: parsed(value)? }),
        (FilterSet::Past, "asOf") => ListFilter::Past(PastFilter { known_at: parsed(value)? }),
        (FilterSet::Owners, "asOf") => ListFilter::Owners(OwnerFilter { actor: None, known_at: parsed(value)? }),
        (FilterSet::Members, "asOf") => ListFilter::Members(MemberFilter { known_at: parsed(value)?, ..of_members(said) }),
        (FilterSet::Members, "filter") => {
            let MemberFilter { known_at, .. } = of_members(said);
            ListFilter::Members(MemberFilter { known_at, ..parsed::<MemberFilterInput>(value)?.into_filter()? })
        }
        (FilterSet::BulkRequests, "requestId") => ListFilter::BulkRequests(BulkRequestFilter { request_id: parsed(value)? }),
        (FilterSet::Properties, "entity") => ListFilter::Properties(PropertyFilter { entity: parsed(value)?, name: None }),
        (FilterSet::Transactions, "filter") => parsed::<TransactionFilterInput>(value)?.into_filter()?,
        (FilterSet::Transfers, "filter") => parsed::<TransferFilterInput>(value)?.into_filter()?,
        (FilterSet::Cases, "filter") => parsed::<CaseFilterInput>(value)?.into_filter(request)?,
        (FilterSet::ActorRisks, "filter") => parsed::<ActorRiskFilterInput>(value)?.into_filter()?,
        (FilterSet::BulkItems, "filter") => parsed::<BulkItemFilterInput>(value)?.into_filter()?,
        (FilterSet::Observations, "filter") => parsed::<ObservationFilterInput>(value)?.into_filter()?,
        (FilterSet::Feedback, "filter") => parsed::<FeedbackFilterInput>(value)?.into_filter()?,
        (FilterSet::Signals, "filter") => parsed::<SignalFilterInput>(value)?.into_filter()?,
        (FilterSet::ClearedMatches, "filter") => parsed::<ClearedMatchFilterInput>(value)?.into_filter(now),
        (FilterSet::Communications, "filter") => parsed::<CommunicationFilterInput>(value)?.into_filter()?,
        (FilterSet::Screenings, "filter") => parsed::<ScreeningFilterInput>(value)?.into_filter()?,
        (FilterSet::Events, "filter") => parsed::<EventFilterInput>(value)?.into_filter()?,
        (FilterSet::Deliveries, "filter") => parsed::<DeliveryFilterInput>(value)?.into_filter()?,
        (FilterSet::Requests, "filter") => {
            let (said, filter) = (of_requests(said), parsed::<RequestFilterInput>(value)?.into_filter(request)?);
            let overdue = once(("filter.overdue", "overdue"), is_overdue(&said), is_overdue(&filter))?;
            with_overdue(filter, overdue, now)
        }
        (FilterSet::Requests, "overdue") => {
            let said = of_requests(said);
            let overdue = once(("overdue", "overdue"), is_overdue(&said), parsed(value)?)?;
            with_overdue(said, overdue, now)
        }
        _ => return Err(unknown(link, name)),
    })
}

/// What the other argument of a list of actors has said, if it came first.
fn of_actors(said: ListFilter) -> ActorFilter {
    if let ListFilter::Actors(filter) = said { filter } else { ActorFilter::default() }
}

/// The same of associates.
fn of_associates(said: ListFilter) -> AssociateFilter {
    if let ListFilter::Associates(filter) = said { filter } else { AssociateFilter::default() }
}

/// A member of a filter that is an argument, too, and is said in one of the two: `at` is where it is said last.
fn once((at, member): (&str, &str), said: Option<bool>, other: Option<bool>) -> Result<Option<bool>> {
    match (said, other) {
        (Some(_), Some(_)) => Err(async_graphql::Error::new(format!("{at}: give {member} or filter.{member}, not both"))),
        _ => Ok(said.or(other)),
    }
}

/// Whether requests for data are to be overdue, where a filter says so.
fn is_overdue(filter: &RequestFilter) -> Option<bool> {
    filter.overdue.map(|_| true).or(filter.not_overdue.map(|_| false))
}

/// The filter that says this of it, and all else as before.
fn with_overdue(filter: RequestFilter, overdue: Option<bool>, now: Timestamp) -> ListFilter {
    let at_present = |wanted: bool| (overdue == Some(wanted)).then_some(now);
    ListFilter::Requests(RequestFilter { overdue: at_present(true), not_overdue: at_present(false), ..filter })
}

/// What the other argument of a page of members has said, if it came first.
fn of_members(said: ListFilter) -> MemberFilter {
    if let ListFilter::Members(filter) = said { filter } else { MemberFilter::default() }
}

/// What the other argument of a list of requests for data has said, if it came first.
fn of_requests(said: ListFilter) -> RequestFilter {
    if let ListFilter::Requests(filter) = said { filter } else { RequestFilter::default() }
}

/// The order that `orderBy` says, or else the usual one: of requests that are overdue when they were due, as the index of those has no others.
fn ordered(link: &Link, order_by: Option<Value>, filter: &ListFilter) -> Result<Page> {
    let page = match (link.filters, order_by, filter) {
        (_, None, ListFilter::Transfers(_)) => link.page(TransferOrderField::Total.sort(filter), SortDirection::Descending.into()),
        (_, None, ListFilter::Requests(RequestFilter { overdue: Some(_), .. })) => link.page(RequestSort::OverdueAt, SortDirection::Ascending.into()),
        (_, None, _) => Ok(link.usual_page()),
        (FilterSet::ActorRisks, Some(value), _) => {
            parsed(value).map(|ScoredActorOrder { field, direction }| link.page(ScoredActorSort::from(field), direction.into()))?
        }
        // What a `TransactionListOrder` says is said in the same way.
        (FilterSet::Transactions, Some(value), _) => {
            parsed(value).map(|TransactionOrder { field, direction }| link.page(field.sort(filter), direction.into()))?
        }
        (FilterSet::Transfers, Some(value), _) => {
            parsed(value).map(|TransferOrder { field, direction }| link.page(field.sort(filter), direction.into()))?
        }
        (FilterSet::Actors, Some(value), _) => {
            parsed(value).map(|ActorOrder { field, direction }| link.page(ActorSort::from(field), direction.into()))?
        }
        (FilterSet::Cases, Some(value), _) => {
            parsed(value).map(|CaseOrder { field, direction }| link.page(CaseSort::from(field), direction.into()))?
        }
        (FilterSet::Observations, Some(value), _) => {
            parsed(value).map(|ObservationOrder { field, direction }| link.page_like(ObservationSort::from(field), direction.into()))?
        }
        (FilterSet::Feedback, Some(value), _) => {
            parsed(value).map(|ObservationFeedbackOrder { field, direction }| link.page(FeedbackSort::from(field), direction.into()))?
        }
        (FilterSet::Signals, Some(value), _) => {
            parsed(value).map(|SuppressedSignalOrder { field, direction }| link.page(SignalSort::from(field), direction.into()))?
        }
        (FilterSet::ClearedMatches, Some(value), _) => {
            parsed(value).map(|ClearedMatchOrder { field, direction }| link.page(ClearedMatchSort::from(field), direction.into()))?
        }
        (FilterSet::Communications, Some(value), _) => {
            parsed(value).map(|CommunicationOrder { field, direction }| link.page(CommunicationSort::from(field), direction.into()))?
        }
        (FilterSet::Requests, Some(value), _) => {
            parsed(value).map(|RequestForDataOrder { field, direction }| link.page(field.sort(), direction.into()))?
        }
        (FilterSet::Deliveries, Some(value), _) => {
            parsed(value).map(|DeliveryOrder { field, direction }| link.page(DeliverySort::from(field), direction.into()))?
        }
        (_, Some(_), _) => return Err(unknown(link, "orderBy")),
    };
    page.map_err(|error| refused(error.into()))
}

/// A field has an argument that its list does not know of.
fn unknown(link: &Link, argument: &str) -> async_graphql::Error {
    refused(Error::Internal(format!("{} has no argument {argument}", link.name)))
}

/// The value of an argument. A part that is null, as of a variable without a value, is as if it were left out.
fn parsed<T: InputType>(mut value: Value) -> Result<T> {
    if let Value::Object(parts) = &mut value {
        parts.retain(|_, part| *part != Value::Null);
    }
    T::parse(Some(value)).map_err(|error| async_graphql::Error::new(error.into_server_error(async_graphql::Pos::default()).message))
}
