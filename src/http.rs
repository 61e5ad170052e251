//! The service over HTTP: which routes there are ([`routes`]), what happens to every request on its way to one ([`edge`]), and how
//! connections are taken and let go ([`server`]).

mod body;
mod bundled;
mod coding;
mod docs;
mod edge;
mod graphiql;
mod health;
mod measures;
mod memory;
mod places;
mod request_id;
mod routes;
mod server;

pub use edge::Peer;
pub use routes::{Faces, app};
pub use server::{listen, serve, stop_signal};
