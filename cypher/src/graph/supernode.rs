//! Pages of supernodes: nodes with so many links of a kind that going through all of them for a page takes a tenth of a second or more.
//!
//! A page of theirs is found the other way round: along an index of all nodes that the link could lead to, in the order of the page, until enough of them
//! are found to be linked. That is tried where so many of all are linked that it is likely to end soon; it ends after a bounded number of steps in any case,
//! and then all links are gone through after all. Whether a node is a supernode the database knows without looking at its links, so that for all others
//! nothing changes but that it is asked.
//!
//! The embedded engine does not read nodes in the order of an index inside a sub-query; it gets the statement without all this, and goes through all links.

use super::compose::{Composing, Key, Matched, Numbers, behind, fill, ordered};
use super::{Begin, Slice, Sort, Step};

/// What a link says of supernodes, whose pages are found along an index. Such a link says nothing itself.
#[derive(Debug, Clone, Copy)]
pub struct Supernode {
    /// A pattern whose number a node knows without looking at its links, and which is there for each match.
    pub degree: &'static str,
    /// The orders whose first key has an index.
    pub orders: &'static [Sort],
}

/// The parameter that says how many links a node has at most that is none.
pub const SUPERNODE: &str = "supernode";
/// Going through so many links takes Neo4j 10 ms.
const LINKS: i64 = 20_000;
/// The most nodes that are looked at along an index, which takes about as long.
const STEPS: usize = 20_000;
/// So many more are found than the page takes: an index has the first key of the order alone, and nodes that are equal in it come as they like. When the
/// last of these differs from the last of the page, none is missing.
const MORE: usize = 20;

/// Whether a statement is to find pages of supernodes along an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Supernodes {
    #[default]
    AreFound,
    AreNone,
}

/// The order and place of a page.
pub(super) struct Along<'a> {
    pub(super) keys: &'a [Key],
    /// The parameters of the place it begins behind; none where it begins at the start.
    pub(super) places: &'a [String],
    pub(super) numbers: Numbers,
}

impl Supernode {
    /// How a slice is found where the node it is of is a supernode, if there is another way for it: what is filtered by anything but the order's own key may
    /// be rare along the index.
    pub(super) fn of(step: &Step, slice: &Slice) -> Option<Self> {
        let key = slice.page.sort.keys[0].text;
        let bounds_the_key = |text: &str| text.strip_prefix(key).is_some_and(|rest| rest.starts_with(' '));
        let is_found_along = step.link.condition.is_none() && step.conditions.iter().all(|condition| bounds_the_key(condition.filter.text));
        let by_place = !matches!(slice.begin, Begin::At(_));
        step.link.supernode.filter(|supernode| by_place && is_found_along && supernode.orders.contains(slice.page.sort))
    }
}

impl Composing {
    /// Writes what finds the nodes of a page, and maybe more of them.
    pub(super) fn many(&mut self, supernode: Supernode, step: &Step, matched: &Matched, along: &Along<'_>, depth: usize) {
        let Numbers { from, to } = along.numbers;
        let degree = fill(supernode.degree, along.numbers);
        self.param_once(SUPERNODE, LINKS);
        self.line(depth, "CALL {");
        self.line(depth + 1, &format!("WITH n{from}"));
        self.line(depth + 1, &format!("WITH n{from}, COUNT {{ {degree} }} AS degree{to}"));
        let is_dense = format!("degree{to} * {STEPS} > ($l{to} + {MORE}) * COUNT {{ (:`{}`) }}", step.link.to.label);
        self.line(depth + 1, &format!("UNWIND CASE WHEN degree{to} > ${SUPERNODE} AND {is_dense} THEN [0] ELSE [] END AS many{to}"));
        self.line(depth + 1, "CALL {");
        self.along_the_index(step, matched, along, depth + 2);
        self.line(depth + 1, "}");
        self.line(depth + 1, &format!("RETURN head(collect(w{to})) AS w{to}"));
        self.line(depth, "}");
        self.line(depth, "CALL {");
        self.line(depth + 1, &format!("WITH n{from}, w{to}"));
        self.line(depth + 1, &format!("UNWIND CASE WHEN w{to} IS NULL THEN [0] ELSE [] END AS few{to}"));
        self.all_of(matched, depth + 1);
        self.line(depth + 1, &format!("RETURN n{to}"));
        self.line(depth + 1, "UNION ALL");
        self.line(depth + 1, &format!("WITH w{to}"));
        self.line(depth + 1, &format!("UNWIND coalesce(w{to}, []) AS n{to}"));
        self.line(depth + 1, &format!("RETURN n{to}"));
        self.line(depth, "}");
    }

    /// The first nodes along the index, from the place of the page on, that are linked; null where some that belong before them may be missing.
    fn along_the_index(&mut self, step: &Step, matched: &Matched, along: &Along<'_>, depth: usize) {
        let Numbers { from, to } = along.numbers;
        let [first, ..] = along.keys else { return };
        let property = first.text.split_once('.').map_or("", |(_, property)| property);
        let by_first = ordered(std::slice::from_ref(first));
        let mut bounds = matched.holds.clone();
        let mut holds = vec![format!("EXISTS {{ {} }}", fill(step.link.pattern, along.numbers))];
        match along.places {
            [] => bounds.push(format!("{} IS NOT NULL", first.text)),
            [place, ..] => {
                bounds.push(format!("{} {}= ${place}", first.text, first.sign()));
                // Asked of each that is looked at: as a bound of the index it would go through all that are equal in the first key.
                holds.push(format!("({})", behind(along.keys, along.places)));
            }
        }
        self.line(depth, &format!("WITH n{from}"));
        self.line(depth, &format!("MATCH (n{to}:`{}`)", step.link.to.label));
        self.line(depth, &format!("WHERE {}", bounds.join(" AND ")));
        self.line(depth, &format!("WITH n{from}, n{to}"));
        self.line(depth, &by_first);
        self.line(depth, &format!("LIMIT {STEPS}"));
        self.line(depth, &format!("WITH n{from}, n{to}"));
        self.line(depth, &format!("WHERE {}", holds.join(" AND ")));
        self.line(depth, &format!("WITH n{to}"));
        self.line(depth, &by_first);
        self.line(depth, &format!("LIMIT $l{to} + {MORE}"));
        self.line(depth, &format!("WITH collect(n{to}) AS w{to}"));
        let key = |at: &str| format!("(w{to}[{at}]).{property}");
        let (last, behind_it) = (key(&format!("$l{to} - 1")), key(&format!("$l{to} + {}", MORE - 1)));
        self.line(depth, &format!("RETURN CASE WHEN {last} <> {behind_it} THEN w{to} END AS w{to}"));
    }
}
