//! The server is killed, again and again, while payments come in: what it acknowledged is there, once, with its audit entry and its event.

use std::time::Duration;

use crate::support::load::Load;
use crate::support::{Engine, Ids, Server, eventually, stored, tests};

tests![both: killed_twenty_times_nothing_acknowledged_is_lost];

const KILLS: usize = 20;
const WRITERS: usize = 16;
/// Milliseconds between a round's first acknowledgement and the kill: some batches, and never the same moment of one.
const UNDER_LOAD: std::ops::Range<u64> = 100..300;

async fn killed_twenty_times_nothing_acknowledged_is_lost(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let load = Load::new(&ids);
    let mut acknowledged = 0;
    for round in 0..KILLS {
        let running = load.run(WRITERS, || server.client());
        eventually("payments are taken", Duration::from_secs(30), async || load.acknowledged().len() > acknowledged).await;
        let span = UNDER_LOAD.end - UNDER_LOAD.start;
        tokio::time::sleep(Duration::from_millis(UNDER_LOAD.start + round as u64 * 67 % span)).await;
        server.kill();
        running.stop().await;
        acknowledged = load.acknowledged().len();
        server.start_again();
    }
    stored::check(&mut server, &load).await;
}
