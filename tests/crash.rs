//! The server is killed, again and again, while payments, scores, cases and comments come in: what it acknowledged is there, once, with its audit
//! entry and its events; what is sent again stays single.

use std::time::Duration;

use crate::support::load::Load;
use crate::support::mixed::Mixed;
use crate::support::{Engine, Ids, Server, eventually, stored, tests};

tests![both: killed_twenty_times_nothing_acknowledged_is_lost];

const KILLS: usize = 20;
const WRITERS: usize = 16;
/// Of what is no payment.
const OTHER_WRITERS: usize = 6;
/// Milliseconds between a round's first acknowledgement and the kill: some batches, and never the same moment of one.
const UNDER_LOAD: std::ops::Range<u64> = 100..300;

async fn killed_twenty_times_nothing_acknowledged_is_lost(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let load = Load::new(&ids);
    let mixed = Mixed::new(&ids, &server).await;
    let mut acknowledged = 0;
    for round in 0..KILLS {
        let running = load.run(WRITERS, || server.client());
        let others = mixed.run(OTHER_WRITERS, || server.client());
        eventually("payments are taken", Duration::from_secs(120), async || load.acknowledged().len() > acknowledged).await;
        let span = UNDER_LOAD.end - UNDER_LOAD.start;
        tokio::time::sleep(Duration::from_millis(UNDER_LOAD.start + round as u64 * 67 % span)).await;
        server.kill();
        running.stop().await;
        others.stop().await;
        acknowledged = load.acknowledged().len();
        server.start_again();
    }
    stored::check(&mut server, &load).await;
    mixed.check(&mut server).await;
}
