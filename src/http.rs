//! The service over HTTP: which routes there are ([`routes`]), what happens to every request on its way to one ([`edge`]), how
//! connections are taken and let go ([`server`]), and what is answered before the store can be used ([`starting`]).

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
mod position;
mod request_id;
mod routes;
mod server;
mod starting;

pub use edge::Peer;
pub use routes::{Faces, app};
pub use server::{listen, serve, serve_meanwhile, stop_signal};
