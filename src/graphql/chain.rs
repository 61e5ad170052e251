//! Steps of the same link, one behind the other, as a document asks for them: "where did the money go, and from there, and from there".
//!
//! They are seen before the first is asked for, so that one nested statement answers all of them.

use async_graphql::{SelectionField, Value};
use resolvers::explore::{Flow, TransferChain};

use super::page::{DEFAULT_SIZE, MOST, selects};

/// The chain that begins at an account with the given selection, when it has one of the two links and that plainly.
pub fn at(account: SelectionField<'_>) -> Option<(Flow, TransferChain)> {
    let begins = |(name, flow)| plain_step(vec![account], name).and_then(|(limit, link)| Some((flow, behind(link, limit)?)));
    [("transferredTo", Flow::Out), ("receivedFrom", Flow::In)].into_iter().find_map(begins)
}

/// The chain of a link of which `limit` are asked for, as long as each step asks for the same link once and plainly.
pub fn behind(link: SelectionField<'_>, limit: usize) -> Option<TransferChain> {
    let mut limits = vec![limit];
    let mut step = link;
    while limits.len() < TransferChain::MOST {
        let edges = step.selection_set().filter(|selected| selected.name() == "edges");
        let nodes = edges.flat_map(|edge| edge.selection_set().filter(|selected| selected.name() == "node").collect::<Vec<_>>());
        let Some((limit, next)) = plain_step(nodes.collect(), link.name()) else { break };
        limits.push(limit);
        step = next;
    }
    TransferChain::of(&limits)
}

/// Whether nothing but the id and the link is asked of the account.
pub fn asks_for_the_link_alone(account: SelectionField<'_>) -> bool {
    account.selection_set().all(|selected| matches!(selected.name(), "id" | "nodeId" | "__typename" | "transferredTo" | "receivedFrom"))
}

/// The link by its name and how many are asked for, when it is there once, with no argument but `first`.
fn plain_step<'a>(nodes: Vec<SelectionField<'a>>, name: &str) -> Option<(usize, SelectionField<'a>)> {
    let links = nodes.into_iter().flat_map(|node| node.selection_set().filter(|link| link.name() == name).collect::<Vec<_>>());
    let [link] = links.collect::<Vec<_>>()[..] else { return None };
    let mut size = DEFAULT_SIZE;
    for (name, value) in link.arguments().ok()? {
        match (name.as_str(), value) {
            ("first", Value::Number(number)) => {
                size = number.as_u64().and_then(|first| usize::try_from(first).ok()).filter(|first| (1..=MOST).contains(first))?;
            }
            (_, Value::Null) => {}
            _ => return None,
        }
    }
    Some((size + usize::from(selects(link, "pageInfo")), link))
}
