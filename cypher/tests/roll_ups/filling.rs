//! Roll-ups stay single, and count each payment once, while others link more and more records to the receiver. Neo4j lays out the links of a node anew
//! when they are fifty, and what is read meanwhile may be missed, or come twice.

use std::sync::atomic::{AtomicUsize, Ordering};

use cypher::{Engine, Error, Params, Statement, Value, statements};

use super::{Step, nothing_beside};
use crate::LONG;

const ROUNDS: usize = 50;
/// So many pay the same receiver.
const SENDERS: usize = 4;
/// Links of the receiver before others link to it: the fiftieth comes in their midst.
const BEFORE: i64 = 38;
const LINKED: usize = 20;

const MAKE: Statement = Statement::new(
    "test/filling",
    "MERGE (s:Account {id: $to}) SET s.name = 'to' WITH s UNWIND range(1, $before) AS one CREATE (:Device {id: $to + one, name: 'linked'})-[:SEEN_AT]->(s) \
     WITH DISTINCT s UNWIND $senders AS id MERGE (f:Account {id: id}) SET f.name = 'from'",
);
const LINK: Statement = Statement::new("test/link", "MATCH (s:Account {id: $to}) CREATE (:Device {id: $id, name: 'linked'})-[:SEEN_AT]->(s)");
const READ: Statement = Statement::new(
    "test/filled",
    "MATCH (f:Account)-[r:TRANSFERRED_TO]->(s:Account {id: $to}) RETURN f.id AS sender, r.sentCount AS count ORDER BY sender, count",
);
const FORGET: Statement = Statement::new(
    "test/forget",
    "MATCH (s:Account {id: $to}) OPTIONAL MATCH (s)<-[:SEEN_AT]-(d:Device) OPTIONAL MATCH (s)<-[:TRANSFERRED_TO]-(f:Account) DETACH DELETE s, d, f",
);

/// One payment of a sender.
fn payment(from: &str, to: &str) -> Params {
    nothing_beside(Step { is_sent: true, count: 1, units: 1, nanos: 0 }.row(from, to))
}

/// Until it is done: of two that are in each other's way one is told so.
async fn done(engine: &Engine, statement: Statement, params: Params) {
    loop {
        match engine.write_within(statement, params.clone(), LONG).await {
            Ok(_) => return,
            Err(Error::Conflict { .. }) => tokio::task::yield_now().await,
            Err(error) => panic!("{error:?}"),
        }
    }
}

pub async fn counts_each_payment_once(engine: Engine) {
    for round in 0..ROUNDS {
        let to = format!("filling-{round}");
        let senders: Vec<String> = (0..SENDERS).map(|number| format!("{to}-from-{number}")).collect();
        let params = Params::none().with("to", to.as_str()).with("before", BEFORE);
        done(&engine, MAKE, params.with("senders", senders.iter().map(|id| id.as_str().into()).collect::<Vec<Value>>())).await;
        for from in &senders {
            done(&engine, statements::transfer::ADD.statement(), payment(from, &to)).await;
        }
        let linked = AtomicUsize::new(0);
        let link = async {
            loop {
                let number = linked.fetch_add(1, Ordering::Relaxed);
                if number >= LINKED {
                    return;
                }
                done(&engine, LINK, Params::none().with("to", to.as_str()).with("id", format!("{to}-linked-{number}"))).await;
            }
        };
        let pay = async |mine: &[String]| {
            let mut paid = 0;
            while linked.load(Ordering::Relaxed) < LINKED {
                for from in mine {
                    done(&engine, statements::transfer::ADD.statement(), payment(from, &to)).await;
                }
                paid += 1;
            }
            paid
        };
        let (some, others) = senders.split_at(SENDERS / 2);
        let ((), of_some, of_others) = tokio::join!(link, pay(some), pay(others));
        let found = engine.read(READ, Params::none().with("to", to.as_str()), LONG).await.expect("it is read");
        let found: Vec<_> = found.iter().map(|row| (row.get("sender").as_text(), row.get("count").as_int())).collect();
        let wanted: Vec<_> =
            senders.iter().enumerate().map(|(at, id)| (Some(id.as_str()), Some(1 + if at < SENDERS / 2 { of_some } else { of_others }))).collect();
        assert_eq!(found, wanted, "round {round}");
        done(&engine, FORGET, Params::none().with("to", to.as_str())).await;
    }
}
