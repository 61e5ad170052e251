//! Questions over GraphQL to amlgraph and to a façade before the same database, by turns.
//!
//! The façade asks in the form that it answers fastest; where links only lead on, that is a list and not a connection.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use test_support::neo4j::Neo4j;

use crate::asked::{Asked, requests};
use crate::cell::{Compared, Measured, Plan, Side, Work, settled_by_turns, warmed};
use crate::database;
use crate::facade::{Facade, Packages};
use crate::http::Connection;
use crate::machine::{Processes, resident_mib};
use crate::report;
use crate::sections::graphql::roots;
use crate::service::{Content, Program, Service, Store};

const CONNECTIONS: [usize; 2] = [1, 32];
/// Answers that are looked into before anything is measured.
const CHECKED: usize = 20;
/// How often each question is asked before anything is measured: the service plans a walk once it was met twice.
const MET: usize = 50;

/// A question as each side asks it.
pub struct Question {
    pub caption: &'static str,
    pub theirs: &'static str,
    pub ours: &'static str,
}

pub const QUESTIONS: [Question; 5] = [
    Question {
        caption: "one account: id, name",
        theirs: "query($id: ID!) { accounts(where: {id: {eq: $id}}) { id name } }",
        ours: "query($id: ID!) { account(id: $id) { id name } }",
    },
    Question {
        caption: "3 hops: 5 a hop by total",
        theirs: "query($id: ID!) { accounts(where: {id: {eq: $id}}) { \
                 transferredToConnection(first: 5, sort: [{edge: {total: DESC}}]) { edges { properties { count total } node { id name \
                 transferredToConnection(first: 5, sort: [{edge: {total: DESC}}]) { edges { properties { count total } node { id name \
                 transferredToConnection(first: 5, sort: [{edge: {total: DESC}}]) { edges { properties { count total } node { id name } } } \
                 } } } } } } } }",
        ours: "query($id: ID!) { account(id: $id) { transferredTo(first: 5) { edges { count total node { id name \
               transferredTo(first: 5) { edges { count total node { id name \
               transferredTo(first: 5) { edges { count total node { id name } } } } } } } } } } }",
    },
    Question {
        caption: "first 5 payments sent, with totalCount",
        theirs: "query($id: ID!) { accounts(where: {id: {eq: $id}}) { sentConnection(first: 5, sort: [{node: {createdAt: DESC}}]) { \
                 totalCount edges { node { id amount currency createdAt } } } } }",
        ours: "query($id: ID!) { account(id: $id) { sent(first: 5) { totalCount edges { node { id amount currency createdAt } } } } }",
    },
    Question {
        caption: "owners, their accounts, 3 transfers each, owners",
        theirs: "query($id: ID!) { accounts(where: {id: {eq: $id}}) { actors(limit: 3, sort: [{id: ASC}]) { id name \
                 accounts(limit: 5, sort: [{id: ASC}]) { id name \
                 transferredToConnection(first: 3, sort: [{edge: {total: DESC}}]) { edges { properties { total count } node { id name \
                 actors(limit: 3, sort: [{id: ASC}]) { id name } } } } } } } }",
        ours: "query($id: ID!) { account(id: $id) { actors(first: 3) { edges { node { id name \
               accounts(first: 5) { edges { node { id name \
               transferredTo(first: 3) { edges { total count node { id name \
               actors(first: 3) { edges { node { id name } } } } } } } } } } } } } }",
    },
    Question {
        caption: "newest 2 of all payments, with totalCount",
        // As a connection it collects all payments. The condition, which all meet, lets it read the index of createdAt from its end.
        theirs: "{ transactions(where: {createdAt: {gte: 0}}, limit: 2, sort: [{createdAt: DESC}]) { id amount currency createdAt } \
                 transactionsConnection { totalCount } }",
        ours: "{ transactions(first: 2) { totalCount edges { node { id amount currency createdAt } } } }",
    },
];

/// Both, before one database.
struct Sides<'a> {
    theirs: SocketAddr,
    ours: SocketAddr,
    their_processes: &'a Processes,
    our_processes: &'a Processes,
}

/// The section.
pub async fn on_neo4j(packages: &Packages, program: &Program, server: &Neo4j, plan: Plan) -> Result<()> {
    report::doing("the façade: loading the sample");
    database::wipe(server).await?;
    let service = program.serve(Store::Neo4j(server), Content::Sample).await?;
    let facade = packages.serve(server).await?;
    report::doing("the façade: checking answers and warming up");
    let roots = roots(&database::raw(server, 1)?).await?;
    let of = |service| Processes { database: server.process_id(), service };
    let (theirs, ours) = (of(facade.id()), of(Some(service.id())));
    let sides = Sides { theirs: facade.address, ours: service.address, their_processes: &theirs, our_processes: &ours };
    for question in &QUESTIONS {
        sides.check(question, &roots).await.context(question.caption)?;
        sides.warm_up(question, &roots, plan).await.context(question.caption)?;
    }
    report::heading("GraphQL over HTTP on the sample: @neo4j/graphql on GraphQL Yoga, and amlgraph, before one Neo4j");
    println!(
        "| | connections | façade, requests/s | p50 / p99 ms | amlgraph, requests/s | p50 / p99 ms | ratio | cores: database / façade | cores: database \
         / amlgraph |\n|---|---|---|---|---|---|---|---|---|"
    );
    for question in &QUESTIONS {
        for connections in CONNECTIONS {
            let compared = sides.cell(question, &roots, connections, plan).await.context(question.caption)?;
            line(question.caption, connections, &compared);
        }
    }
    ended(facade, service).await
}

impl Sides<'_> {
    async fn workers(&self, question: &Question, roots: &[String], connections: usize) -> Result<(Vec<Asked>, Vec<Asked>)> {
        let theirs = Asked::on(self.theirs, &requests(question.theirs, roots), connections).await?;
        let ours = Asked::on(self.ours, &requests(question.ours, roots), connections).await?;
        Ok((theirs, ours))
    }

    /// Whether both answers have as many nodes, and say the same of how many there are.
    async fn check(&self, question: &Question, roots: &[String]) -> Result<()> {
        let (mut theirs, mut ours) = (Connection::open(self.theirs).await?, Connection::open(self.ours).await?);
        let roots = &roots[..roots.len().min(CHECKED)];
        let (their_requests, our_requests) = (requests(question.theirs, roots), requests(question.ours, roots));
        let mut nodes = 0;
        for ((root, asked), ask) in roots.iter().zip(their_requests.iter()).zip(our_requests.iter()) {
            let their_answer = String::from_utf8_lossy(theirs.send_for_success(asked).await?).into_owned();
            let our_answer = String::from_utf8_lossy(ours.send_for_success(ask).await?).into_owned();
            let (expected, found) = (told(&their_answer), told(&our_answer));
            ensure!(expected == found, "{root}: {expected:?} in {their_answer}, {found:?} in {our_answer}");
            nodes += found.0;
        }
        ensure!(nodes > 0, "no answer has a node");
        Ok(())
    }

    /// Lets both plan and compile what this question needs.
    async fn warm_up(&self, question: &Question, roots: &[String], plan: Plan) -> Result<()> {
        let (theirs, ours) = self.workers(question, roots, 1).await?;
        for mut asked in theirs.into_iter().chain(ours) {
            for _ in 0..MET {
                asked.once().await?;
            }
        }
        let (theirs, ours) = self.workers(question, roots, CONNECTIONS[1]).await?;
        warmed(theirs, ours, Plan { java: plan.java / QUESTIONS.len() as u32, ..plan }).await
    }

    async fn cell(&self, question: &Question, roots: &Arc<Vec<String>>, connections: usize, plan: Plan) -> Result<Compared> {
        let (theirs, ours) = self.workers(question, roots, connections).await?;
        let theirs = Side { name: "the façade", workers: theirs, processes: self.their_processes };
        let ours = Side { name: "amlgraph", workers: ours, processes: self.our_processes };
        settled_by_turns(theirs, ours, plan).await
    }
}

/// How many nodes an answer has (each says its id), and what it says of how many there are.
pub fn told(answer: &str) -> (usize, Vec<&str>) {
    let totals = answer.split("\"totalCount\":").skip(1).map(|rest| rest.split([',', '}']).next().unwrap_or_default());
    (answer.matches("\"id\":").count(), totals.collect())
}

fn line(caption: &str, connections: usize, compared: &Compared) {
    let cores = |measured: &Measured| format!("{:.2} / {:.2}", measured.cores().database, measured.cores().service);
    let (theirs, ours) = (&compared.basis, &compared.subject);
    println!(
        "| {caption} | {connections} | {} | {} | {} | {} | **{:.2}** | {} | {} |",
        report::rate(theirs.rate()),
        report::times(theirs),
        report::rate(ours.rate()),
        report::times(ours),
        compared.ratio(),
        cores(theirs),
        cores(ours),
    );
}

async fn ended(facade: Facade, service: Service) -> Result<()> {
    let theirs = facade.id().map(resident_mib).transpose()?.unwrap_or_default();
    println!("\nResident memory after these requests: façade {theirs:.0} MiB, amlgraph {:.0} MiB.", resident_mib(service.id())?);
    facade.stop().await?;
    service.stop().await
}

#[cfg(test)]
mod tests {
    #[test]
    fn nodes_and_totals_of_both_forms() {
        let theirs = r#"{"data":{"transactions":[{"id":"b"},{"id":"a"}],"transactionsConnection":{"totalCount":7}}}"#;
        let ours = r#"{"data":{"transactions":{"totalCount":7,"edges":[{"node":{"id":"b"}},{"node":{"id":"a"}}]}}}"#;
        assert_eq!(super::told(theirs), (2, vec!["7"]));
        assert_eq!(super::told(theirs), super::told(ours));
    }
}
