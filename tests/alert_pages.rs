//! Pages of alerts of rules and of actors, against plain code.

use serde_json::{Value, json};

use crate::alerts::Queue;
use crate::support::fixtures::{NOON, Payment, with};
use crate::support::observations::{paid, taken};
use crate::support::{Engine, Ids, Server, tests};

tests![both: of_rules_and_actors_in_pages_both_ways];

/// What an alert says, as far as it is asked for.
struct Fact {
    rules: &'static [&'static str],
    actors: &'static [&'static str],
    percent: i64,
    date: i64,
    amount: i64,
}

/// Of rules and of actors, of which some alerts have two: in each order what plain code sorts, also when a payment is amended or a record comes again.
async fn of_rules_and_actors_in_pages_both_ways(engine: Engine) {
    const RULES: [&[&str]; 4] = [&["r1"], &["r1", "r2"], &["r2"], &[]];
    const ACTORS: [&[&str]; 3] = [&["a"], &["a", "b"], &["c"]];
    let server = Server::shared(engine);
    let of = Ids::new();
    let pay = async |n: usize, amount: &str| paid(&server, &Payment::new(of.of(&format!("p{n}")), of.of("k"), of.of("l")).amount(amount)).await;
    pay(0, "10").await;
    pay(1, "20").await;
    let fact = |n: usize| Fact {
        rules: RULES[n % 4],
        actors: ACTORS[n % 3],
        percent: [50, 25][n / 2 % 2],
        date: NOON + [0, 60, 120, 60][n % 4],
        amount: [10, 20][n % 2],
    };
    let mut facts: Vec<Fact> = (0..9).map(fact).collect();
    let alert = |n: usize, fact: &Fact| {
        let of_rules: Vec<Value> = fact.rules.iter().map(|name| json!({"id": of.of(name)})).collect();
        let rules = if of_rules.is_empty() { json!({}) } else { json!({"rules": of_rules}) };
        let about: Vec<Value> = fact.actors.iter().map(|name| json!({"actorId": of.of(name)})).collect();
        let more = json!({"score": fact.percent as f64 / 100.0, "date": fact.date, "actors": about});
        with(with(more, rules), json!({"transactionIds": [of.of(&format!("p{}", n % 2))]}))
    };
    let queue = Queue::of(facts.iter().enumerate().map(|(n, fact)| alert(n, fact))).sent(&server).await;
    let ask = async |facts: &[Fact], filter: Value, order: &str, holds: fn(&Fact) -> bool| {
        let key = |fact: &Fact| match order {
            "DATE" => (-fact.date, 0),
            "SCORE" => (-fact.percent, -fact.date),
            _ => (-fact.amount, 0),
        };
        let mut expected: Vec<usize> = (0..facts.len()).filter(|n| holds(&facts[*n])).collect();
        expected.sort_by_key(|n| (key(&facts[*n]), *n));
        queue.comes_in_pages(&server, &filter, &json!({"field": order}), &expected).await;
    };
    let minute = |minutes: i64| graph_schema::date::Timestamp((NOON + 60 * minutes) * 1000).to_string();
    let rules = |names: &[&str]| json!({"ruleIds": names.iter().map(|name| of.of(name)).collect::<Vec<String>>()});
    for order in ["DATE", "SCORE", "AMOUNT"] {
        ask(&facts, rules(&["r1"]), order, |fact| fact.rules.contains(&"r1")).await;
        ask(&facts, rules(&["r1", "r2"]), order, |fact| !fact.rules.is_empty()).await;
        let early = with(rules(&["r1", "r2"]), json!({"to": minute(2)}));
        ask(&facts, early, order, |fact| !fact.rules.is_empty() && fact.date < NOON + 120).await;
        let between = with(rules(&["r1", "r2"]), json!({"from": minute(1), "to": minute(2)}));
        ask(&facts, between, order, |fact| !fact.rules.is_empty() && fact.date == NOON + 60).await;
        let large = with(rules(&["r1"]), json!({"minStandardizedTotal": 15}));
        ask(&facts, large, order, |fact| fact.rules.contains(&"r1") && fact.amount == 20).await;
        ask(&facts, json!({"actorIds": [of.of("a"), of.of("b")]}), order, |fact| !fact.actors.contains(&"c")).await;
    }
    ask(&facts, json!({"actorId": of.of("c")}), "SCORE", |fact| fact.actors.contains(&"c")).await;
    let of_both = with(rules(&["r2"]), json!({"actorIds": [of.of("a")]}));
    ask(&facts, of_both, "AMOUNT", |fact| fact.actors.contains(&"a") && fact.rules.contains(&"r2")).await;

    pay(0, "30").await;
    facts.iter_mut().step_by(2).for_each(|fact| fact.amount = 30);
    ask(&facts, rules(&["r1", "r2"]), "AMOUNT", |fact| !fact.rules.is_empty()).await;
    facts[0] = Fact { rules: RULES[2], date: NOON + 240, percent: 1, ..fact(0) };
    facts[0].amount = 30;
    taken(&server, with(queue.alerts[0].clone(), alert(0, &facts[0]))).await;
    for order in ["DATE", "SCORE", "AMOUNT"] {
        ask(&facts, rules(&["r1"]), order, |fact| fact.rules.contains(&"r1")).await;
        ask(&facts, rules(&["r2"]), order, |fact| fact.rules.contains(&"r2")).await;
    }
}
