//! The orders of lists and links, each with the keys that tell any two rows apart.
//!
//! A list whose order nobody chooses has it as a constant. The orders that callers choose from are the variants of an enum, so that an order that does not
//! exist has no name.

use crate::Value;

/// An order: the keys that tell any two apart.
#[derive(Debug, PartialEq, Eq)]
pub struct Sort {
    /// As GraphQL and cursors name it.
    pub name: &'static str,
    pub keys: &'static [SortKey],
}

/// Something to sort by; never null.
#[derive(Debug, PartialEq, Eq)]
pub struct SortKey {
    pub text: &'static str,
    pub direction: SortDirection,
    pub(super) kind: KeyKind,
}

/// What kind of value a key is. Only the first keys of lists are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyKind {
    Text,
    Integer,
}

impl KeyKind {
    /// The value that lies before all others in this direction.
    pub(super) fn before_all(self, direction: SortDirection) -> Value {
        match (self, direction) {
            (Self::Text, SortDirection::Ascending) => Value::from(""),
            // The last character there is.
            (Self::Text, SortDirection::Descending) => Value::from("\u{10FFFF}"),
            (Self::Integer, SortDirection::Ascending) => Value::Int(i64::MIN),
            (Self::Integer, SortDirection::Descending) => Value::Int(i64::MAX),
        }
    }
}

impl SortKey {
    /// The same of whole numbers.
    pub(super) const fn integer(self) -> Self {
        Self { kind: KeyKind::Integer, ..self }
    }
}

/// From small to large or from large to small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SortDirection {
    Ascending,
    Descending,
}

impl SortDirection {
    /// The other one.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Ascending => Self::Descending,
            Self::Descending => Self::Ascending,
        }
    }
}

pub(super) const fn ascending(text: &'static str) -> SortKey {
    SortKey { text, direction: SortDirection::Ascending, kind: KeyKind::Text }
}

pub(super) const fn descending(text: &'static str) -> SortKey {
    SortKey { text, direction: SortDirection::Descending, kind: KeyKind::Text }
}

/// One of the orders of a list.
pub trait Order: Copy {
    /// Its name and keys.
    fn sort(self) -> &'static Sort;
}

/// Declares the orders of lists. Each entry is an enum, and of each of its variants the name and the keys.
macro_rules! orders {
    ($(
        $(#[$meta:meta])*
        $list:ident {
            $($(#[$said:meta])* $order:ident: $name:literal [$($key:expr),+];)+
        }
    )+) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub enum $list {
                $($(#[$said])* $order,)+
            }

            impl $list {
                /// In the order of the variants.
                pub(super) const ALL: &'static [Sort] = &[$(Sort { name: $name, keys: &[$($key),+] }),+];
            }

            impl Order for $list {
                fn sort(self) -> &'static Sort {
                    &Self::ALL[self as usize]
                }
            }
        )+
    };
}

orders! {
    /// What transactions are sorted by.
    TransactionSort {
        CreatedAt: "CREATED_AT" [descending("{b}.createdAt").integer(), descending("{b}.id")];
        /// Within one currency.
        Amount: "AMOUNT" [descending("{b}.amount"), descending("{b}.id")];
        /// Whatever the currency.
        StandardizedAmount: "STANDARDIZED_AMOUNT" [descending("coalesce({b}.standardizedAmount, 0.0)"), descending("{b}.id")];
    }

    /// What actors are sorted by. But for the id, those alone have the keys whose record has come; who has no score, or no domicile, comes behind all that have one.
    ActorSort {
        Id: "ID" [ascending("{b}.id")];
        Name: "NAME" [ascending("{b}.nameOrder"), ascending("{b}.id")];
        Risk: "RISK" [descending("{b}.riskScoreOrder").integer(), ascending("{b}.id")];
        Domicile: "DOMICILE" [ascending("{b}.domicileOrder"), ascending("{b}.id")];
        RecordedAt: "RECORDED_AT" [descending("{b}.recordedAt").integer(), ascending("{b}.id")];
    }

    /// What actors are sorted by that have a risk score.
    ScoredActorSort {
        /// A whole number.
        RiskScore: "RISK_SCORE" [descending("{b}.riskScoreParts").integer(), ascending("{b}.id")];
    }

    /// What transfers are sorted by.
    TransferSort {
        /// Whatever the currency.
        StandardizedTotal: "STANDARDIZED_TOTAL" [descending("standardized{d}"), ascending("{b}.id"), ascending("{r}.currency")];
        /// Within one currency.
        Total: "TOTAL" [descending("{r}.total"), ascending("{b}.id"), ascending("{r}.currency")];
        Count: "COUNT" [descending("{r}.count"), ascending("{b}.id"), ascending("{r}.currency")];
        First: "FIRST" [descending("{r}.first"), ascending("{b}.id"), ascending("{r}.currency")];
        Last: "LAST" [descending("{r}.last"), ascending("{b}.id"), ascending("{r}.currency")];
    }

    /// What cases are sorted by.
    CaseSort {
        CreatedAt: "CREATED_AT" [descending("{b}.createdAt").integer(), ascending("{b}.id")];
        UpdatedAt: "UPDATED_AT" [descending("{b}.updatedAt").integer(), ascending("{b}.id")];
        Id: "ID" [ascending("{b}.id")];
        /// A case that is not due comes behind all that are; from late to early it comes first.
        DueAt: "DUE_AT" [ascending("{b}.dueOrder").integer(), ascending("{b}.id")];
        StepSince: "STEP_SINCE" [descending("{b}.stepSince").integer(), ascending("{b}.id")];
        /// An open case comes behind all that are closed; from early to late it comes first.
        ClosedAt: "CLOSED_AT" [descending("{b}.closedOrder").integer(), ascending("{b}.id")];
        /// By band, the highest first; then since when it is on its step.
        Risk: "RISK" [descending("{b}.riskOrder").integer(), ascending("{b}.stepSince"), ascending("{b}.id")];
        /// The others have an index each.
        Type: "TYPE" [ascending("{b}.type"), ascending("{b}.id")];
    }

    /// What observations are sorted by.
    ObservationSort {
        Date: "DATE" [descending("{b}.observedAt").integer(), ascending("{b}.id")];
        /// A whole number, which each has that is known: an observation without a score comes behind all that have one.
        Score: "SCORE" [descending("{b}.scoreBillionths").integer(), descending("{b}.observedAt"), ascending("{b}.id")];
        Amount: "AMOUNT" [descending("{b}.standardUnits").integer(), descending("{b}.standardNanos"), ascending("{b}.id")];
    }

    /// What observations of a case are sorted by: as others, with those behind all others that were only named so far.
    CaseObservationSort {
        Date: "DATE" [descending("coalesce({b}.observedAt, -9000000000000000)"), ascending("{b}.id")];
        Score: "SCORE" [
            descending("coalesce({b}.scoreBillionths, -9000000000000000)"),
            descending("coalesce({b}.observedAt, -9000000000000000)"),
            ascending("{b}.id")
        ];
        Amount: "AMOUNT" [descending("coalesce({b}.standardUnits, -1)"), descending("coalesce({b}.standardNanos, -1)"), ascending("{b}.id")];
    }

    /// What feedback on observations is sorted by.
    FeedbackSort {
        CreatedAt: "CREATED_AT" [descending("{b}.createdAt").integer(), ascending("{b}.id")];
    }

    /// What suppressed signals are sorted by.
    SignalSort {
        ReviewDate: "REVIEW_DATE" [descending("{b}.reviewDate"), ascending("{b}.id")];
    }

    /// What cleared matches are sorted by.
    ClearedMatchSort {
        ClearedAt: "CLEARED_AT" [descending("{b}.clearedAt").integer(), ascending("{b}.id")];
    }

    /// What communications are sorted by. Of most it is known alone when they came: then that counts. Those without any time are behind all others.
    CommunicationSort {
        SentAt: "SENT_AT" [descending("coalesce({b}.sentAt, {b}.createdAt, {b}.recordedAt, -9000000000000000)"), ascending("{b}.id")];
        CreatedAt: "CREATED_AT" [descending("coalesce({b}.createdAt, {b}.sentAt, {b}.recordedAt, -9000000000000000)"), ascending("{b}.id")];
    }

    /// What requests for data are sorted by.
    RequestSort {
        CreatedAt: "CREATED_AT" [descending("{b}.createdAt").integer(), ascending("{b}.id")];
        DueAt: "DUE_AT" [ascending("{b}.dueAt").integer(), ascending("{b}.id")];
        /// By when they were due; only for those that are overdue, as others need not have it.
        OverdueAt: "OVERDUE_AT" [ascending("{b}.overdueAt").integer(), ascending("{b}.id")];
    }

    /// What deliveries are sorted by.
    DeliverySort {
        CreatedAt: "CREATED_AT" [descending("{b}.createdAt").integer(), ascending("{b}.id")];
        /// Those that wait have not ended: they are the earliest.
        FinishedAt: "FINISHED_AT" [descending("coalesce({b}.finishedAt, 0)").integer(), ascending("{b}.id")];
    }

    /// What users are sorted by.
    UserSort {
        CreatedAt: "CREATED_AT" [descending("{b}.createdAt").integer(), ascending("{b}.id")];
        Name: "NAME" [ascending("{b}.name"), ascending("{b}.id")];
    }

    /// What channel locations are sorted by.
    LocationSort {
        Id: "ID" [ascending("{b}.id")];
        Type: "TYPE" [ascending("{b}.type"), ascending("{b}.id")];
        /// By when they were received.
        Latest: "LATEST" [descending("{b}.recordedAt").integer(), ascending("{b}.id")];
    }

    /// What items of bulk requests are sorted by.
    BulkItemSort {
        CreatedAt: "CREATED_AT" [descending("{b}.createdAt").integer(), ascending("{b}.id")];
        ProcessedAt: "PROCESSED_AT" [descending("{b}.processedAt").integer(), ascending("{b}.id")];
        Subject: "SUBJECT" [ascending("{b}.subject"), ascending("{b}.id")];
        Id: "ID" [ascending("{b}.id")];
    }

    /// What workflows are sorted by.
    WorkflowSort {
        /// By when they were received.
        Latest: "LATEST" [descending("{b}.createdAt").integer(), ascending("{b}.id")];
        Id: "ID" [ascending("{b}.id")];
        Version: "VERSION" [ascending("{b}.version").integer(), ascending("{b}.id")];
        Hidden: "HIDDEN" [ascending("CASE WHEN {b}.hidden THEN 1 ELSE 0 END").integer(), ascending("{b}.id")];
        Name: "NAME" [ascending("{b}.name"), ascending("{b}.id")];
    }
}
