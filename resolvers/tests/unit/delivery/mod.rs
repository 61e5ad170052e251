mod address;
mod endpoint;
mod endpoints;
mod send;
mod verdict;

use std::time::Instant;

use graph_schema::date::Timestamp;
use resolvers::testing::delivery::lane::{HeldLane, Lease};
use resolvers::testing::delivery::send::Message;

/// A lane of a webhook that a worker holds.
fn held_lane(id: &str) -> HeldLane {
    let message = Message {
        url: "http://127.0.0.1:9/".to_owned(),
        event_id: "event".to_owned(),
        event_name: "case.updated".to_owned(),
        created_at: 0,
        data: "{}".into(),
        secrets: Vec::new(),
    };
    HeldLane {
        id: id.to_owned(),
        webhook_id: "webhook".to_owned(),
        delivery_id: "delivery".to_owned(),
        lease: Lease { holder: "me".to_owned(), good_until: Instant::now() },
        due_at: Timestamp(0),
        failures: 0,
        message,
    }
}
