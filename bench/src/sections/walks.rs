//! Walks from an account in the very words of the service, asked by a client of the driver alone: what it could do at best who knew them.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use cypher::graph::{Composed, Found, Node, Slice, Step, Visit, Walk, link, nodes};
use cypher::{Engine, Params, Row};
use neo4rs::{BoltType, Graph, Query};
use serde_json::json;
use test_support::neo4j::Neo4j;

use crate::cell::Work;
use crate::payments::Random;
use crate::service::{Program, Store};

const LIMIT: Duration = Duration::from_secs(5);
const LABEL: &str = "raw/walk";

/// Links that are followed one after the other, and how many at each.
pub type Steps = &'static [(&'static str, usize)];

/// A walk that the service would compose.
pub struct Composition {
    walk: Walk,
}

/// Who is asked.
#[derive(Clone)]
pub enum Asking {
    Driver(Graph),
    /// The embedded engine has no driver.
    Engine(Engine),
}

/// Asks for a walk from one root after another.
pub struct Walker {
    pub asking: Asking,
    pub composition: Arc<Composition>,
    pub roots: Arc<Vec<String>>,
    pub random: Random,
}

impl Work for Walker {
    async fn once(&mut self) -> Result<()> {
        let root = &self.roots[self.random.below(self.roots.len() as u64) as usize];
        match &self.asking {
            Asking::Driver(graph) => {
                let mut rows = graph.execute_read(self.composition.query(root)).await?;
                // The driver has made values of a row when it gives it. (It has no `TCP_NODELAY`: what goes in one piece, as these do, needs none.)
                while rows.next().await?.is_some() {}
            }
            Asking::Engine(engine) => drop(engine.read_composed(LABEL, self.composition.for_root(root), LIMIT).await?),
        }
        Ok(())
    }
}

impl Composition {
    /// Of links that begin at an account.
    pub fn of(steps: Steps) -> Result<Self> {
        Ok(Self { walk: Walk::of(Arc::new(visit(&nodes::ACCOUNT, steps)?)) })
    }

    /// The statement with its parameters, for one root.
    fn for_root(&self, root: &str) -> Composed {
        let composed = self.walk.composed().clone();
        Composed { params: composed.params.with("ids", vec![root]), ..composed }
    }

    fn query(&self, root: &str) -> Query {
        let Composed { text, params, .. } = self.for_root(root);
        params.0.into_iter().fold(Query::new(text.to_string()), |query, (name, value)| query.param(&name, BoltType::from(value)))
    }

    /// How many nodes there are behind a root.
    pub async fn nodes(&self, engine: &Engine, root: &str) -> Result<usize> {
        let rows = engine.read_composed(LABEL, self.for_root(root), LIMIT).await?;
        rows.into_iter().map(|row| self.nodes_in(row)).sum()
    }

    fn nodes_in(&self, row: Row) -> Result<usize> {
        let (_, found) = self.walk.visit().read(row)?;
        Ok(behind(&found))
    }

    /// Whether it is what the service makes of a document, as `amlgraph explain` tells: the one statement, with the same parameters.
    pub async fn check(&self, program: &Program, server: &Neo4j, document: &str, root: &str) -> Result<()> {
        let told = program.explain(Store::Neo4j(server), document, &json!({ "id": root }).to_string()).await?;
        let Composed { text, params, .. } = self.walk.composed();
        let with = limits(params);
        ensure!(told.trim_end() == format!(":params {{ids: ['{root}'], {with}}}\n{}", text.trim_end()), "the service asks otherwise: {told}");
        Ok(())
    }
}

/// As `amlgraph explain` writes them; a walk without filters has no others.
fn limits(params: &Params) -> String {
    let limits: Vec<String> = params.0.iter().map(|(name, value)| format!("{name}: {}", value.as_int().unwrap_or_default())).collect();
    limits.join(", ")
}

fn visit(node: &'static Node, steps: Steps) -> Result<Visit> {
    let [(field, limit), rest @ ..] = steps else { return Ok(Visit::of(node)) };
    let link = link(node, field).with_context(|| format!("no link {field} from {}", node.label))?;
    let step = link.whole(visit(link.to, rest)?);
    let slice = step.slice.map(|slice| Slice { limit: *limit, ..slice });
    Ok(Visit { steps: vec![Step { slice, ..step }], ..Visit::of(node) })
}

/// Nodes that links lead to.
fn behind(found: &Found) -> usize {
    found.links.iter().flat_map(|link| &link.rows).map(|row| 1 + behind(&row.node)).sum()
}
