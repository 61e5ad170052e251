//! Payments that nobody waits for, of which many come at once: each is screened once, whatever is asked for beside it.
//!
//! Each test has a store to itself, and a provider of its own: a server of another test would do its jobs with other providers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cypher::{Params, map};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::screening_payments::{PATH, SOON, asking, by_name, named, observed, screenings, send};
use crate::support::bulk::{bulk_payment, taken};
use crate::support::fixtures::with;
use crate::support::receiver::{Receiver, Reply};
use crate::support::{Engine, Ids, eventually, jobs, stored, tests};

tests![both: what_comes_in_bulk_is_screened_where_the_settings_say_so, a_payment_that_was_sent_alone_is_screened_before_those_in_bulk,
    a_job_of_the_former_kind_hands_over_its_payments];

async fn what_comes_in_bulk_is_screened_where_the_settings_say_so(engine: Engine) {
    let is_silent = Arc::new(AtomicBool::new(true));
    let flag = Arc::clone(&is_silent);
    let receiver = Receiver::of_all(move |_, received| {
        let is_first = received.body()["parties"][0]["name"] == "First";
        if is_first && flag.load(Ordering::Relaxed) { Reply::Status(500) } else { by_name(received) }
    })
    .await;
    let (server, ids) = (asking(engine, &receiver, &[("AMLGRAPH_SCREENING__BULK", "SANCTIONS")]), Ids::new());
    let payment = |at: usize| {
        let mut payment = bulk_payment(&ids.of(&format!("bulk-{at}")), &ids.of("payer"), "nobody");
        let name = match at {
            0 => "First",
            7 => "Hit",
            _ => "Clean",
        };
        payment["counterparty"] = json!({"type": "INDIVIDUAL", "name": name});
        payment
    };
    // More than are asked about together.
    let payments: Vec<Value> = (0..60).map(payment).collect();
    taken(&server, &ids.of("request"), &json!({"transactions": payments})).await;
    // The first one waits for the provider, and the others not for the first one.
    for at in (1..60).chain([0]) {
        let id = ids.of(&format!("bulk-{at}"));
        if at == 0 {
            let is_asked = async || receiver.received().iter().any(|received| received.body()["parties"][0]["name"] == "First");
            eventually("the first one is asked about", SOON, is_asked).await;
            is_silent.store(false, Ordering::Relaxed);
        }
        let is_there = async || server.get(&format!("{PATH}/{id}")).await.status == 200 && !screenings(&server, &id).await.is_empty();
        eventually("it is screened", SOON, is_there).await;
        let kept = screenings(&server, &id).await;
        assert_eq!((kept.len(), &kept[0]["response"]), (1, &json!(if at == 7 { "HIT" } else { "MISS" })));
    }
    jobs::none_left(&server).await;
    assert!(receiver.count() > 60, "the first one was asked about again");
    assert_eq!(receiver.distinct_ids(), 60);
    assert_eq!(observed(&server, &ids.of("bulk-7")).await.len(), 1);
}

async fn a_payment_that_was_sent_alone_is_screened_before_those_in_bulk(engine: Engine) {
    const BULK: usize = 600;
    /// Nothing is answered before the payment has come: of the others one step is under way by then, of fewer than so many.
    const BEFORE: usize = 400;
    /// Payments that are asked about at once.
    const BESIDE: usize = 24;
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    let receiver = Receiver::of_all(move |_, received| match by_name(received) {
        Reply::Text(code, text) => Reply::Held(Arc::clone(&held), code, text),
        other => other,
    })
    .await;
    let (server, ids) = (asking(engine, &receiver, &[("AMLGRAPH_SCREENING__BULK", "SANCTIONS")]), Ids::new());
    let payment = |at: usize| {
        let payment = bulk_payment(&ids.of(&format!("bulk-{at}")), &ids.of("payer"), "nobody");
        with(payment, json!({"counterparty": {"type": "INDIVIDUAL", "name": "Clean"}}))
    };
    taken(&server, &ids.of("request"), &json!({"transactions": (0..BULK).map(payment).collect::<Vec<Value>>()})).await;
    let last = format!("{PATH}/{}", ids.of(&format!("bulk-{}", BULK - 1)));
    eventually("all are stored", SOON, async || server.get(&last).await.status == 200).await;
    eventually("the provider is asked", SOON, async || receiver.count() >= 1).await;
    send(&server, "?operations=SANCTIONS&blocking=false", named(&ids, "alone", "Hit")).await;
    gate.add_permits(1);
    eventually("it is screened", SOON, async || !screenings(&server, &ids.of("alone")).await.is_empty()).await;
    jobs::none_left(&server).await;
    // In the order in which each was asked about first: a worker that is too slow for its lease asks again.
    let mut asked: Vec<String> = Vec::with_capacity(BULK + 1);
    for received in receiver.received() {
        let id = received.body()["transaction"]["id"].as_str().expect("an id").to_owned();
        if !asked.contains(&id) {
            asked.push(id);
        }
    }
    assert_eq!(asked.len(), BULK + 1);
    let place = asked.iter().position(|id| *id == ids.of("alone"));
    // It is the first of its step; the payments that are asked about beside it may come to the provider before it.
    assert!(place.is_some_and(|place| place < BEFORE + BESIDE), "{place:?}");
}

async fn a_job_of_the_former_kind_hands_over_its_payments(engine: Engine) {
    let receiver = Receiver::of_all(|_, received| by_name(received)).await;
    let (mut server, ids) = (asking(engine, &receiver, &[]), Ids::new());
    for payment in ["hit", "clean"] {
        send(&server, "", named(&ids, payment, if payment == "hit" { "Hit" } else { "Clean" })).await;
    }
    // As it was stored after a provider had said nothing of them for the ninth time.
    let payments = json!([{"id": ids.of("hit"), "submission": "former-1"}, {"id": ids.of("clean"), "submission": "former-2"}]);
    let props = map([
        ("kind", "screening".into()),
        ("name", "Screening of 2 payments".into()),
        ("status", "QUEUED".into()),
        ("payload", json!({"operations": ["SANCTIONS"], "payments": payments}).to_string().into()),
        ("checkpoint", json!({"done": 2, "tries": 9, "silent": [0, 1]}).to_string().into()),
        ("done", 0.into()),
        ("total", 2.into()),
        ("priority", (-1).into()),
        ("createdAt", 0.into()),
        ("createdBy", "nobody".into()),
        ("createdByName", "Nobody".into()),
        ("requestId", "none".into()),
        ("dueAt", 0.into()),
        ("leaseUntil", 0.into()),
        ("holder", "".into()),
        // More than jobs of other kinds may have: each time that a provider said nothing was one.
        ("runs", 9.into()),
        ("failures", 9.into()),
    ]);
    let job = "MERGE (j:JobInstance {id: 'former'}) SET j += $props SET j:OpenJob";
    stored::write(&mut server, job, Params::none().with("props", props)).await;
    for (payment, response) in [("hit", "HIT"), ("clean", "MISS")] {
        eventually("it is screened", SOON, async || !screenings(&server, &ids.of(payment)).await.is_empty()).await;
        let kept = screenings(&server, &ids.of(payment)).await;
        assert_eq!((kept.len(), &kept[0]["response"]), (1, &json!(response)), "{kept:?}");
    }
    jobs::none_left(&server).await;
    let job = async || server.graphql("{ job(id: \"former\") { status endedAt result } }", json!({})).await["job"].take();
    // What it has handed over may be done before it is noted that it is.
    eventually("the job has ended", SOON, async || job().await["endedAt"].is_string()).await;
    let job = job().await;
    assert_eq!((&job["status"], &job["result"]), (&json!("DONE"), &json!({"payments": 2})), "{job}");
    assert_eq!(observed(&server, &ids.of("hit")).await.len(), 1);
    assert_eq!(server.cypher("MATCH (p:PendingPaymentScreening) RETURN p.id AS id"), Vec::<Value>::new());
}
