//! `amlgraph detect …`: what detection offers without a server.

mod features;
mod payments;

use crate::cli::Detect;

pub fn run(command: Detect) -> anyhow::Result<()> {
    match command {
        Detect::Features(options) => features::run(options),
    }
}
