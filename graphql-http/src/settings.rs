//! What one request may ask, as the settings say.

use std::time::Duration;

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
}

/// What is there or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    On,
    Off,
}
