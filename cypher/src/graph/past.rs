//! Links as they were known at a moment.
//!
//! A link that was ended, or that says something else now, is kept under a type of its own, with the time in which it was the present one: `since` and
//! `until`. The present one has `since` alone; one that was made before that was noted has none, and counts as known ever since. Who asks for the
//! present reads the present type alone, as if there were no past.

use graph_schema::edge::{AssociateFields, MemberFields, RoleFields};

use super::row::columns;

columns!(RoleFields { role: "{r}.role", as_of_date: "{r}.asOfDate", since: "{r}.since", until: "{r}.until" });
columns!(AssociateFields {
    kind: "{r}.type",
    ratio: "{r}.ratio",
    as_of_date: "{r}.asOfDate",
    data_source: "{r}.dataSource",
    is_customer: "{r}.isCustomer",
    references: "coalesce({r}.references, [])",
    since: "{r}.since",
    until: "{r}.until",
});
columns!(MemberFields {
    since: "{r}.since",
    by: "{r}.by",
    by_id: "{r}.byId",
    until: "{r}.until",
    ended_by: "{r}.endedBy",
    ended_by_id: "{r}.endedById",
});

/// Where the former links of a kind are: what the pattern of the present ones has, and what stands there instead where both are asked for.
#[derive(Debug)]
pub struct Past {
    pub(super) present: &'static str,
    pub(super) with_former: &'static str,
}

pub(super) static ROLES: Past = Past { present: ":HAS_ROLE]", with_former: ":HAS_ROLE|HAD_ROLE]" };
pub(super) static ASSOCIATES: Past = Past { present: ":ASSOCIATED_WITH]", with_former: ":ASSOCIATED_WITH|WAS_ASSOCIATED_WITH]" };
pub(super) static MEMBERS: Past = Past { present: ":MEMBER_OF]", with_former: ":MEMBER_OF|WAS_MEMBER_OF]" };
pub(super) static OWNERS: Past = Past { present: ":OWNS_GROUP]", with_former: ":OWNS_GROUP|OWNED_GROUP]" };
