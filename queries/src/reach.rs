//! What a write names that changes what a question finds, read off the table.
//!
//! Most of what is found from a node along one link changes only with a write that is about links of that node, or about one of the nodes themselves. A write
//! that is known to be about nothing but nodes it names (`cypher::Stamps`) then leaves all other answers as they are. What is found by properties of the nodes
//! at the other end, or by way of others, may change with a write that names none of these.
//!
//! A payment may name an account by a number. Whoever keeps what is found along links of accounts has to know their numbers, too: they come along where
//! that is asked for ([`with_numbers`]). That holds for all links of an account, not for those of payments alone: while the fiftieth link is made at a node,
//! Neo4j lays all of its links anew, and may then read any of them twice, or miss it.

use cypher::graph::{Column, Node, Step, Visit};

/// What a write names that changes an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Anything.
    Anywhere,
    /// The node that it is of, without its links.
    Itself,
    /// The same, a link of it, or a node that was found, without the links of that.
    ItsNodes,
    /// The same, or a link of a number of the account that it is of.
    ItsNodesOrNumbers,
}

/// The same question with the numbers of accounts, where what is found along their links is kept as long as no payment names them, which may be by number;
/// nothing where there are no such accounts.
#[must_use]
pub fn with_numbers(visit: &Visit) -> Option<Visit> {
    let behind: Vec<Option<Visit>> = visit.steps.iter().map(|step| with_numbers(&step.then)).collect();
    let numbers = visit.steps.iter().any(|step| needs_numbers(visit.node, step));
    if !numbers && behind.iter().all(Option::is_none) {
        return None;
    }
    let mut visit = Visit { numbers, ..visit.clone() };
    for (step, then) in visit.steps.iter_mut().zip(behind) {
        if let Some(then) = then {
            step.then = then;
        }
    }
    Some(visit)
}

fn needs_numbers(from: &Node, step: &Step) -> bool {
    let is_by_number = |reach: Reach| reach == Reach::ItsNodesOrNumbers;
    (step.counted && is_by_number(of_count(from, step))) || (step.slice.is_some() && is_by_number(of_page(from, step)))
}

/// Of what is shown of the node itself.
pub(crate) fn of_node(visit: &Visit) -> Reach {
    if visit.summary && !are_its_own(visit.node.summary) { Reach::Anywhere } else { Reach::Itself }
}

/// Of the page of a step, from a kind of nodes; the nodes of the page are without links.
pub(crate) fn of_page(from: &Node, step: &Step) -> Reach {
    let sort = step.slice.as_ref().map(|slice| slice.page.sort.keys).unwrap_or_default();
    let is_in_order = sort.iter().all(|key| names_ends_alone(key.text));
    match of_node(&step.then) {
        Reach::Itself if is_in_order && are_its_own(step.link.edge) => of_count(from, step),
        _ => Reach::Anywhere,
    }
}

/// Of the number of a step.
pub(crate) fn of_count(from: &Node, step: &Step) -> Reach {
    let link = step.link;
    let conditions = step.conditions.iter().map(|condition| condition.filter.text);
    let mut texts = link.condition.into_iter().chain([link.carry]).chain(conditions);
    if !is_one_link(link.pattern) || !texts.all(names_ends_alone) {
        Reach::Anywhere
    } else if from.label == "Account" {
        Reach::ItsNodesOrNumbers
    } else {
        Reach::ItsNodes
    }
}

/// Whether a pattern is one link from the node to nodes of a label.
fn is_one_link(pattern: &str) -> bool {
    pattern.starts_with("({n})") && pattern.matches("-[").count() == 1 && pattern.contains("({b}:")
}

/// Whether columns say nothing of other nodes than their own.
fn are_its_own(columns: &[Column]) -> bool {
    columns.iter().all(|column| !speaks_of_others(column.text))
}

/// Whether a text says nothing of the node at the other end but that it is that one.
fn names_ends_alone(text: &str) -> bool {
    let is_id_alone = |(at, name): (usize, &str)| {
        let behind = &text[at + name.len()..];
        match behind.strip_prefix('.') {
            Some(property) => property.strip_prefix("id").is_some_and(|rest| !rest.starts_with(|character: char| character.is_alphanumeric())),
            None => !behind.starts_with(':'),
        }
    };
    !speaks_of_others(text) && text.match_indices("{b}").all(is_id_alone)
}

/// Whether a text is about more than a node, a link and the node at its other end.
fn speaks_of_others(text: &str) -> bool {
    ["{i}", "-[", "MATCH", "EXISTS", "COUNT"].iter().any(|part| text.contains(part))
}

#[cfg(test)]
mod tests {
    use cypher::graph::{links, nodes};

    use super::*;

    fn step(name: &str) -> Step {
        let link = links::ALL.iter().find(|link| link.name == name).expect("a link");
        link.whole(Visit { summary: true, ..Visit::of(link.to) })
    }

    #[test]
    fn what_is_found_along_one_link_changes_with_its_ends() {
        for (from, name, page, count) in [
            (&nodes::ACCOUNT, "Account.transferredTo", Reach::ItsNodesOrNumbers, Reach::ItsNodesOrNumbers),
            (&nodes::ACCOUNT, "Account.receivedFrom", Reach::ItsNodesOrNumbers, Reach::ItsNodesOrNumbers),
            // Which are the first depends on payments that may not be among them.
            (&nodes::ACCOUNT, "Account.sent", Reach::Anywhere, Reach::ItsNodesOrNumbers),
            (&nodes::ACCOUNT, "Account.actors", Reach::ItsNodesOrNumbers, Reach::ItsNodesOrNumbers),
            (&nodes::ACTOR, "Actor.accounts", Reach::ItsNodes, Reach::ItsNodes),
            (&nodes::TRANSACTION, "Transaction.receiver", Reach::ItsNodes, Reach::ItsNodes),
            (&nodes::TRANSACTION, "Transaction.account", Reach::Anywhere, Reach::Anywhere),
            (&nodes::ACCOUNT, "Account.ipAddresses", Reach::Anywhere, Reach::Anywhere),
            (&nodes::CASE, "Case.actions", Reach::Anywhere, Reach::Anywhere),
            // What is shown of an observation is found by what was done with it.
            (&nodes::CASE, "Case.observations", Reach::Anywhere, Reach::ItsNodes),
        ] {
            let step = step(name);
            assert_eq!((of_page(from, &step), of_count(from, &step)), (page, count), "{name}");
        }
    }

    #[test]
    fn numbers_come_along_where_links_of_accounts_are_followed() {
        let hop = |then: Visit| Visit { steps: vec![Step { then, ..step("Account.transferredTo") }], ..Visit::of(&nodes::ACCOUNT) };
        assert!(with_numbers(&Visit::of(&nodes::ACCOUNT)).is_none());
        for (node, name, are_wanted) in
            [(&nodes::ACCOUNT, "Account.actors", true), (&nodes::ACCOUNT, "Account.ipAddresses", false), (&nodes::ACTOR, "Actor.accounts", false)]
        {
            let visit = Visit { steps: vec![step(name)], ..Visit::of(node) };
            assert_eq!(with_numbers(&visit).is_some(), are_wanted, "{name}");
        }
        let walk = with_numbers(&hop(hop(Visit::of(&nodes::ACCOUNT)))).expect("it is along payments");
        assert!(walk.numbers && walk.steps[0].then.numbers && !walk.steps[0].then.steps[0].then.numbers);
        let text = walk.compose().text;
        let call = "  CALL {
    WITH n1
    MATCH (n1)-[:IDENTIFIED_BY|HINTED_BY]->(m1:AccountIdentifier)
    RETURN collect([m1.id]) AS k1
  }
";
        assert!(text.contains(call) && text.contains("RETURN id, [n0.id, n0.name, k0, x1] AS found"), "{text}");
    }
}
