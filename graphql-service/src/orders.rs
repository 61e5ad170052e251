//! The orders that lists can be asked for. Each is an input of a field and a direction; the fields are those of an order in [`resolvers::explore`].

use async_graphql::{Enum, InputObject};
use resolvers::explore::{
    ActorSort, CaseSort, ClearedMatchSort, CommunicationSort, DeliverySort, FeedbackSort, ListFilter, ObservationSort, RequestSort, ScoredActorSort,
    SignalSort, TransactionFilter, TransactionSort, TransferFilter, TransferSort, UserSort,
};

use crate::filtering::SortDirection;

/// Declares orders. Each entry is the input, with the end that comes first when none is said, and its fields.
macro_rules! list_orders {
    ($(
        $(#[$meta:meta])+
        $order:ident {
            $(#[$end:meta])+
            direction
        }
        $(#[$fields_meta:meta])+
        $fields:ident {
            $($(#[$said:meta])+ $field:ident,)+
        }
    )+) => {
        $(
            #[derive(InputObject, Clone, Copy)]
            $(#[$meta])+
            pub struct $order {
                /// The field that decides the order. Equal values go by id.
                pub field: $fields,
                $(#[$end])+
                pub direction: SortDirection,
            }

            #[derive(Enum, Clone, Copy, PartialEq, Eq)]
            $(#[$fields_meta])+
            pub enum $fields {
                $($(#[$said])+ $field,)+
            }
        )+
    };
}

list_orders! {
    /// An order of actors; by id when none is given.
    ActorOrder {
        /// Which end of the order comes first: the smallest, or the oldest, unless it is said.
        #[graphql(default_with = "SortDirection::Ascending")]
        direction
    }
    /// A field that actors are ordered by.
    #[graphql(remote = "ActorSort")]
    ActorOrderField {
        /// The id. The only order that has actors whose record has not come.
        Id,
        /// The name, whatever the case of its letters.
        Name,
        /// The risk score that counts. An actor without a score comes behind all that have one; from small to large it comes first.
        Risk,
        /// The code of the domicile. An actor without one comes behind all that have one; from Z to A it comes first.
        Domicile,
        /// The time at which the present record came.
        RecordedAt,
    }

    /// An order of actors that have a risk score; the highest score first when none is given.
    ScoredActorOrder {
        /// Which end of the order comes first: the highest score unless it is said.
        #[graphql(default_with = "SortDirection::Descending")]
        direction
    }
    /// A field that actors with a risk score are ordered by.
    #[graphql(remote = "ScoredActorSort")]
    ScoredActorOrderField {
        /// The risk score that counts.
        RiskScore,
    }

    /// An order of transactions; newest first when none is given.
    TransactionOrder {
        /// Which end of the order comes first: the newest or largest unless it is said.
        #[graphql(default_with = "SortDirection::Descending")]
        direction
    }
    /// What transactions are sorted by.
    TransactionOrderField {
        /// The time at which the payment was made.
        CreatedAt,
        /// The amount in the filter's currency; without one, the amount in the platform's default currency.
        Amount,
    }

    /// An order of the list of all transactions, which has no order of amounts; newest first when none is given.
    TransactionListOrder {
        /// Which end of the order comes first: the newest unless it is said.
        #[graphql(default_with = "SortDirection::Descending")]
        direction
    }
    /// What the list of all transactions is sorted by.
    TransactionListOrderField {
        /// The time at which the payment was made.
        CreatedAt,
    }

    /// An order of transfers.
    TransferOrder {
        /// Which end of the order comes first: the largest or latest unless it is said.
        #[graphql(default_with = "SortDirection::Descending")]
        direction
    }
    /// What transfers are sorted by.
    TransferOrderField {
        /// The total in the filter's currency; without one, the total in the platform's default currency.
        Total,
        /// The number of payments.
        Count,
        /// The time of the first payment.
        First,
        /// The time of the last payment.
        Last,
    }

    /// An order of cases; newest first when none is given.
    CaseOrder {
        /// Which end of the order comes first: the newest or largest unless it is said.
        #[graphql(default_with = "SortDirection::Descending")]
        direction
    }
    /// The orders of cases.
    #[graphql(remote = "CaseSort")]
    CaseOrderField {
        /// The time at which the case was made.
        CreatedAt,
        /// The time of the last change.
        UpdatedAt,
        /// The type: `ANALYSIS` before `FILING`, ascending.
        Type,
        /// The id, as text.
        Id,
        /// The time by which it is to leave its step. A case that has none, or is closed, comes behind all that have one; from late to early it comes first.
        DueAt,
        /// The time at which it came to its step.
        StepSince,
        /// The time at which it was closed last. An open case comes behind all that are closed; from early to late it comes first.
        ClosedAt,
        /// The risk band, then the time at which it came to its step. A case without a band comes behind all that have one; from low to high it comes first.
        Risk,
    }

    /// An order of observations; the newest first when none is given.
    ObservationOrder {
        /// Which end of the order comes first: the newest or largest unless it is said.
        #[graphql(default_with = "SortDirection::Descending")]
        direction
    }
    /// A field that observations are ordered by.
    #[graphql(remote = "ObservationSort")]
    ObservationOrderField {
        /// The time at which it was made.
        Date,
        /// The score, then the time. An observation without a score comes behind all that have one; from small to large it comes first.
        Score,
        /// What its payments add up to in the platform's default currency, as `standardizedTotal` says.
        Amount,
    }

    /// An order of feedback on observations; the latest first when none is given.
    ObservationFeedbackOrder {
        /// Which end of the order comes first: the latest unless it is said.
        #[graphql(default_with = "SortDirection::Descending")]
        direction
    }
    /// A field that feedback on observations is ordered by.
    #[graphql(remote = "FeedbackSort")]
    ObservationFeedbackOrderField {
        /// The time at which the feedback was given.
        CreatedAt,
    }

    /// An order of suppressed signals; the latest first when none is given.
    SuppressedSignalOrder {
        /// Which end of the order comes first: the latest unless it is said.
        #[graphql(default_with = "SortDirection::Descending")]
        direction
    }
    /// A field that suppressed signals are ordered by.
    #[graphql(remote = "SignalSort")]
    SuppressedSignalOrderField {
        /// The day on which the signal was reviewed.
        ReviewDate,
    }

    /// An order of cleared matches; the latest first when none is given.
    ClearedMatchOrder {
        /// Which end of the order comes first: the latest unless it is said.
        #[graphql(default_with = "SortDirection::Descending")]
        direction
    }
    /// A field that cleared matches are ordered by.
    #[graphql(remote = "ClearedMatchSort")]
    ClearedMatchOrderField {
        /// The time at which the match was cleared.
        ClearedAt,
    }

    /// An order of communications; the latest first when none is given.
    CommunicationOrder {
        /// Which end of the order comes first: the latest unless it is said.
        #[graphql(default_with = "SortDirection::Descending")]
        direction
    }
    /// A time that communications are ordered by. Where it is not known the other one counts, or else `recordedAt`, which is new where one is sent again;
    /// without any it is the oldest.
    #[graphql(remote = "CommunicationSort")]
    CommunicationOrderField {
        /// The time at which the message was sent.
        SentAt,
        /// The time at which the message was written.
        CreatedAt,
    }

    /// An order of requests for data; the newest first when none is given.
    RequestForDataOrder {
        /// Which end of the order comes first: the latest unless it is said.
        #[graphql(default_with = "SortDirection::Descending")]
        direction
    }
    /// What requests for data are ordered by.
    RequestForDataOrderField {
        /// The time at which the request was made.
        CreatedAt,
        /// The time until which it is to be answered.
        DueAt,
    }

    /// An order of deliveries; the newest first when none is given.
    DeliveryOrder {
        /// Which end of the order comes first: the newest unless it is said.
        #[graphql(default_with = "SortDirection::Descending")]
        direction
    }
    /// What deliveries are ordered by.
    #[graphql(remote = "DeliverySort")]
    DeliveryOrderField {
        /// The time at which the delivery was queued.
        CreatedAt,
        /// The time at which it was delivered or given up. Those that wait are the earliest. No index has this order: all deliveries that the filter finds are read
        /// for it, so name webhooks or cases there.
        FinishedAt,
    }

    /// An order of users; the newest first when none is given.
    UserOrder {
        /// Which end of the order comes first: the first of the alphabet, or the oldest, unless it is said.
        #[graphql(default_with = "SortDirection::Ascending")]
        direction
    }
    /// What users are ordered by.
    #[graphql(remote = "UserSort")]
    UserOrderField {
        /// The time at which they were made a user.
        CreatedAt,
        /// The name that people know them by.
        Name,
    }

    /// An order of entries; the newest first when none is given.
    AuditEntryOrder {
        /// Which end of the order comes first: the newest unless it is said.
        #[graphql(default_with = "SortDirection::Descending")]
        direction
    }
    /// A field that entries are ordered by.
    AuditEntryOrderField {
        /// The time of the act.
        At,
    }
}

impl TransactionOrderField {
    /// The order of what passes a filter. Amounts in several currencies are not compared as numbers.
    #[must_use]
    pub fn sort(self, filter: &ListFilter) -> TransactionSort {
        match (self, filter) {
            (Self::CreatedAt, _) => TransactionSort::CreatedAt,
            (Self::Amount, ListFilter::Transactions(TransactionFilter { currency: Some(_), .. })) => TransactionSort::Amount,
            (Self::Amount, _) => TransactionSort::StandardizedAmount,
        }
    }
}

impl TransferOrderField {
    /// The order of what passes a filter. Totals in several currencies are not compared as numbers.
    #[must_use]
    pub fn sort(self, filter: &ListFilter) -> TransferSort {
        match (self, filter) {
            (Self::Total, ListFilter::Transfers(TransferFilter { currency: Some(_), .. })) => TransferSort::Total,
            (Self::Total, _) => TransferSort::StandardizedTotal,
            (Self::Count, _) => TransferSort::Count,
            (Self::First, _) => TransferSort::First,
            (Self::Last, _) => TransferSort::Last,
        }
    }
}

impl RequestForDataOrderField {
    /// The order of the list.
    #[must_use]
    pub fn sort(self) -> RequestSort {
        match self {
            Self::CreatedAt => RequestSort::CreatedAt,
            Self::DueAt => RequestSort::DueAt,
        }
    }
}
