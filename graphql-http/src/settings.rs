//! What one request may ask, as the settings say.

use std::time::Duration;

use axum::http::uri::Authority;

use crate::trusted::TrustedDocuments;

/// What one GraphQL request may ask.
#[derive(Debug, Clone)]
pub struct GraphqlLimits {
    pub depth: usize,
    pub complexity: usize,
    pub aliases: usize,
    pub tokens: usize,
    /// The most requests in a batch; 0: there are no batches.
    pub batch: usize,
    /// Links that one statement may follow.
    pub steps: usize,
    pub time: Duration,
    /// Whether clients may ask for the schema.
    pub introspection: Switch,
    /// Whether errors name what a misspelt field was perhaps meant to be: a way to find the schema out.
    pub suggestions: Switch,
    /// Whether a browser gets the page.
    pub graphiql: Switch,
    /// Documents that clients name by their ids, and whether others are refused.
    pub trusted: TrustedDocuments,
}

/// What is there or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    On,
    Off,
}

/// How many connections may stay open, and whose pages may open one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveLimits {
    /// Connections of the process.
    pub connections: usize,
    /// Connections of one caller.
    pub connections_per_caller: usize,
    /// Operations under way on one connection.
    pub operations_per_connection: usize,
    /// Origins of pages, besides the server's own: `https://desk.example`.
    pub origins: Vec<String>,
}

impl LiveLimits {
    /// Reads origins, with commas between them, as browsers say them: a scheme and a host, with a port where it is not the usual one.
    pub fn origins(text: &str) -> Result<Vec<String>, String> {
        let origins: Vec<&str> = text.split(',').map(str::trim).filter(|origin| !origin.is_empty()).collect();
        match origins.iter().find(|origin| !is_origin(origin)) {
            Some(wrong) => Err(format!("must be origins with commas between them, such as https://desk.example: \"{wrong}\" is none")),
            None => Ok(origins.into_iter().map(str::to_owned).collect()),
        }
    }
}

fn is_origin(text: &str) -> bool {
    let by_scheme = [("https://", ":443"), ("http://", ":80")].into_iter().find_map(|(scheme, usual)| Some((text.strip_prefix(scheme)?, usual)));
    by_scheme.is_some_and(|(host, usual)| !host.ends_with(usual) && !host.contains('@') && host.parse::<Authority>().is_ok())
}
