//! Pages of supernodes: nodes with so many links of a kind that going through all of them for a page takes a tenth of a second or more.
//!
//! A page of theirs is found the other way round: along an index of all nodes that the link could lead to, in the order of the page, until enough of them
//! are found to be linked. Where nodes that are linked are rare, all links are gone through as well, after a bounded number of steps: it costs
//! twice what it did at most. Whether a node is one, the database knows without looking at its links, so that for all others nothing changes but that it is
//! asked.

use super::compose::{Composing, Key, Matched, Numbers, behind_in_index, fill, ordered};
use super::{Begin, Slice, Step};

/// What a link says of supernodes, whose pages are found along an index. Such a link says nothing itself.
#[derive(Debug, Clone, Copy)]
pub struct Supernode {
    /// A pattern whose number a node knows without looking at its links, and which is there for each match.
    pub degree: &'static str,
    /// The orders whose first key has an index.
    pub orders: &'static [&'static str],
}

/// The parameter that says how many links a node has at most that is none.
pub const SUPERNODE: &str = "supernode";
/// Going through so many links takes Neo4j 5 ms.
const LINKS: i64 = 10_000;
/// The most nodes that are looked at along an index. A number in the text: the embedded engine keeps so many rows while it reads.
const STEPS: usize = 20_000;

/// The order and place of a page.
pub(super) struct Along<'a> {
    pub(super) keys: &'a [Key],
    /// The parameters of the place it begins behind; none where it begins at the start.
    pub(super) places: &'a [String],
    pub(super) numbers: Numbers,
}

impl Supernode {
    /// How a slice is found where the node it is of is a supernode, if there is another way for it.
    pub(super) fn of(step: &Step, slice: &Slice) -> Option<Self> {
        let by_place = !matches!(slice.begin, Begin::At(_));
        step.link.supernode.filter(|supernode| by_place && supernode.orders.contains(&slice.page.sort.name))
    }
}

impl Composing {
    /// Writes what finds the nodes of a page, and maybe more of them.
    pub(super) fn many(&mut self, supernode: Supernode, step: &Step, matched: &Matched, along: &Along<'_>, depth: usize) {
        let Numbers { from, to } = along.numbers;
        self.param_once(SUPERNODE, LINKS);
        self.line(depth, "CALL {");
        self.line(depth + 1, &format!("WITH n{from}"));
        let degree = fill(supernode.degree, along.numbers);
        self.line(depth + 1, &format!("UNWIND CASE WHEN COUNT {{ {degree} }} > ${SUPERNODE} THEN [0] ELSE [] END AS many{to}"));
        self.line(depth + 1, "CALL {");
        self.along_the_index(step, matched, along, depth + 2);
        self.line(depth + 1, "}");
        self.line(depth + 1, &format!("RETURN head(collect(w{to})) AS w{to}"));
        self.line(depth, "}");
        self.line(depth, "CALL {");
        self.line(depth + 1, &format!("WITH n{from}, w{to}"));
        self.line(depth + 1, &format!("UNWIND CASE WHEN size(w{to}) = $l{to} THEN [] ELSE [0] END AS few{to}"));
        self.all_of(matched, depth + 1);
        self.line(depth + 1, &format!("RETURN n{to}"));
        self.line(depth + 1, "UNION ALL");
        self.line(depth + 1, &format!("WITH w{to}"));
        self.line(depth + 1, &format!("UNWIND CASE WHEN size(w{to}) = $l{to} THEN w{to} ELSE [] END AS n{to}"));
        self.line(depth + 1, &format!("RETURN n{to}"));
        self.line(depth, "}");
    }

    /// Nodes in the order of the page, from its place on, that are linked: as many as the page takes, if so many steps find them.
    fn along_the_index(&mut self, step: &Step, matched: &Matched, along: &Along<'_>, depth: usize) {
        let Numbers { from, to } = along.numbers;
        let (order, first) = (ordered(along.keys), &along.keys[0].text);
        // What is said of the order's own key bounds the index; whatever else is said is asked of each node.
        let (mut bounds, mut holds): (Vec<String>, Vec<String>) =
            matched.holds.iter().cloned().partition(|holds| holds.strip_prefix(first).is_some_and(|rest| rest.starts_with([' ', '='])));
        bounds.push(match along.places {
            [] => format!("{first} IS NOT NULL"),
            places => behind_in_index(along.keys, places),
        });
        holds.insert(0, format!("EXISTS {{ {} }}", fill(step.link.pattern, along.numbers)));
        self.line(depth, &format!("WITH n{from}"));
        self.line(depth, &format!("MATCH (n{to}:`{}`)", step.link.to.label));
        self.line(depth, &format!("WHERE {}", bounds.join(" AND ")));
        self.line(depth, &format!("WITH n{from}, n{to}"));
        self.line(depth, &order);
        self.line(depth, &format!("LIMIT {STEPS}"));
        self.line(depth, &format!("WITH n{from}, n{to}"));
        self.line(depth, &format!("WHERE {}", holds.join(" AND ")));
        self.line(depth, &format!("WITH n{to}"));
        self.line(depth, &order);
        self.line(depth, &format!("LIMIT $l{to}"));
        self.line(depth, &format!("RETURN collect(n{to}) AS w{to}"));
    }
}
