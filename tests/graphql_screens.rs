//! The screens of a user interface for analysts: each document of `docs/screens` is one request, by the role that works with it.
//!
//! Around a company of the bundled sample, with ids of the test's own, work on cases is planted by the mutations of that folder, each of which is read back
//! over REST. Then each screen is read: its answer is compared with REST and with what was put in, its cost with the table of `docs/graphql.md`. On Neo4j
//! others write beside this test, so that what counts all cases of the store is compared on the embedded engine alone. Pages that need no work on cases are
//! also those of the whole sample ([`pages_are_those_of_the_tables`]), once it is imported. At last all that is stored by then is looked for in GraphQL.

mod acting;
mod desk;
mod documents;
mod network;
mod on_actors;
mod on_cases;
mod on_sample;
mod on_work;

use acting::Work;
use desk::Desk;
use network::Network;
pub use on_sample::pages_are_those_of_the_tables;

use crate::graphql_properties::of_the_screens;
use crate::support::{Engine, Store, tests};
use crate::users::Issuer;

tests![both: each_screen_is_one_request];

async fn each_screen_is_one_request(engine: Engine) {
    let issuer = Issuer::start().await;
    let mut server = issuer.trusted(Store::of(engine));
    let network = Network::planted(&mut server, &issuer.ids).await;
    let mut desk = Desk::opened(engine, server, &issuer).await;
    let work = Work::done(&desk, &network).await;
    on_cases::inbox(&desk, &network, &work).await;
    on_cases::page(&desk, &network, &work).await;
    on_actors::actor(&desk, &network, &work).await;
    on_actors::account(&desk, &network).await;
    on_actors::transaction(&desk, &network, &work).await;
    on_actors::chart(&desk, &network, &work).await;
    on_work::alerts_queue(&desk, &network).await;
    on_work::audit(&desk, &work).await;
    on_work::webhooks(&desk, &network).await;
    on_work::requests(&desk, &network, &work).await;
    on_work::reports(&desk, &network, &work).await;
    on_work::segmentation(&desk, &network, &work).await;
    desk.has_sent_all();
    if desk.is_alone() {
        of_the_screens(&mut desk.server).await;
    }
}
