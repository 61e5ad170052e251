//! Roll-ups are exact however large they become, and whatever else is written meanwhile.

pub mod filling;

use cypher::{Engine, Params, Row, Statement, Value, map, statements};

use crate::{LONG, without_a_trace};

const PAIR: Statement = Statement::new(
    "test/pair",
    "UNWIND $rows AS row MERGE (a:Account {id: row.from}) SET a.name = 'from' MERGE (b:Account {id: row.to}) SET b.name = 'to' \
     WITH a, b OPTIONAL MATCH (a)-[r:TRANSFERRED_TO]->(b) DELETE r",
);
const READ: Statement = Statement::new(
    "test/roll_up",
    "UNWIND $rows AS row MATCH (a:Account {id: row.from})-[r:TRANSFERRED_TO]->(b:Account {id: row.to}) \
     RETURN r.largerTally AS larger, r.count AS count, r.totalUnits AS units, r.totalNanos AS nanos, r.totalCarry AS carry, r.total AS total, \
     r.sentStandardUnits AS standardUnits, r.sentStandardCarry AS standardCarry",
);
const CARRY: i128 = 1_000_000_000_000_000_000;
const NANOS: i128 = 1_000_000_000;

/// What one side of a pair has reported, added up in 128 bits.
#[derive(Clone, Copy, Default)]
struct Tally {
    count: i64,
    nanos: i128,
    units: i128,
}

/// What is added to one of the two.
#[derive(Clone, Copy)]
struct Step {
    is_sent: bool,
    count: i64,
    units: i64,
    nanos: i64,
}

const ENDS: (&str, &str) = ("roll-up-from", "roll-up-to");

fn ends() -> [(&'static str, Value); 2] {
    [("from", ENDS.0.into()), ("to", ENDS.1.into())]
}

impl Step {
    fn row(self, from: &str, to: &str) -> Value {
        let tally = |of_sent: bool, number: i64| Value::Int(if self.is_sent == of_sent { number } else { 0 });
        map([
            ("from", from.into()),
            ("to", to.into()),
            ("currency", "EUR".into()),
            ("first", 1.into()),
            ("last", 1.into()),
            ("sentCount", tally(true, self.count)),
            ("sentUnits", tally(true, self.units)),
            ("sentNanos", tally(true, self.nanos)),
            ("sentStandardUnits", tally(true, self.units)),
            ("sentStandardNanos", tally(true, self.nanos)),
            ("receivedCount", tally(false, self.count)),
            ("receivedUnits", tally(false, self.units)),
            ("receivedNanos", tally(false, self.nanos)),
            ("receivedStandardUnits", tally(false, self.units)),
            ("receivedStandardNanos", tally(false, self.nanos)),
        ])
    }
}

/// Sides, signs and sizes by turns; then all of it is taken back.
fn steps() -> Vec<Step> {
    let forth = |at: i64| {
        let sign = if at % 11 == 7 { -1 } else { 1 };
        Step { is_sent: at % 5 != 3, count: 1, units: sign * (900_000_000_000_000_000 - at * 7_654_321), nanos: sign * at * 333_333_333 }
    };
    let forth: Vec<Step> = (0..120).map(forth).collect();
    let back = |step: &Step| Step { count: -1, units: -step.units, nanos: -step.nanos, ..*step };
    let back: Vec<Step> = forth.iter().map(back).collect();
    [forth, back].concat()
}

/// One row, without a trace.
fn nothing_beside(row: Value) -> Params {
    without_a_trace(Params::rows(vec![row]))
}

pub async fn are_exact_past_64_bits(engine: Engine) {
    engine.write_within(PAIR, Params::rows(vec![map(ends())]), LONG).await.expect("two accounts");
    let (mut sent, mut received) = (Tally::default(), Tally::default());
    for (at, step) in steps().into_iter().enumerate() {
        let tally = if step.is_sent { &mut sent } else { &mut received };
        tally.count += step.count;
        tally.units += i128::from(step.units);
        tally.nanos += i128::from(step.units) * NANOS + i128::from(step.nanos);
        engine.write_within(statements::transfer::ADD.statement(), nothing_beside(step.row(ENDS.0, ENDS.1)), LONG).await.expect("it is added");
        let found = engine.read(READ, Params::rows(vec![map(ends())]), LONG).await.expect("it is read");
        check(at, &found[0], sent, received);
    }
    assert_eq!((sent.nanos, received.nanos), (0, 0));
}

fn check(at: usize, found: &Row, sent: Tally, received: Tally) {
    let number = |name: &str| i128::from(found.get(name).as_int().unwrap_or_default());
    let is_sent = received.count == 0 || (sent.count != 0 && sent.nanos >= received.nanos);
    let (larger, wanted) = if is_sent { ("SENT", sent) } else { ("RECEIVED", received) };
    assert_eq!(found.get("larger").as_text(), Some(larger), "{at}: {found:?}");
    assert_eq!(number("count"), i128::from(sent.count.max(received.count)), "{at}: {found:?}");
    assert_eq!((number("carry") * CARRY + number("units")) * NANOS + number("nanos"), wanted.nanos, "{at}: {found:?}");
    assert_eq!(number("standardCarry") * CARRY + number("standardUnits"), sent.units, "{at}: {found:?}");
    let (shown, exact) = (found.get("total").as_float().expect("a float"), wanted.nanos as f64 / 1e9);
    assert!((shown - exact).abs() <= exact.abs() * 1e-12 + 1.0, "{at}: {shown} for {exact}");
}
