//! Payments on the embedded engine, on a store that is nearly empty and on one that holds the sample as well: what a commit costs must not depend
//! on what is there.
//!
//! Both stores have the same accounts, and payments go between those. Every cell begins with a new store where hardly anything is, and nothing is
//! settled before, so that it stays small.

use std::path::Path;

use anyhow::{Context, Result};

use crate::cell::{Compared, Plan, Side, by_turns};
use crate::machine::Processes;
use crate::payments::{Accounts, Flow, Naming};
use crate::report;
use crate::sections::embedded::{self, Sample};
use crate::sections::ingest;
use crate::service::{Content, Program, Service, Store};

const CONNECTIONS: [usize; 2] = [1, 64];

/// The section.
pub async fn on_embedded(program: &Program, sample: &Sample<'_>, folder: &Path, plan: Plan) -> Result<()> {
    report::doing("the embedded engine: what a commit costs on a large store");
    let large = folder.join("sizes-sample");
    embedded::copy_files(sample.folder, &large)?;
    embedded::prepare(&large).await?;
    let large = program.serve(Store::Embedded(&large), Content::AsItIs).await?;
    report::heading("One payment a request, on an empty store and on the sample's, embedded engine");
    report::two_sided_head("empty", "with the sample", "payments");
    for naming in [Naming::Id, Naming::Number] {
        for connections in CONNECTIONS {
            let empty = folder.join(format!("sizes-empty-{connections}-{}", naming.caption().replace(' ', "-")));
            embedded::prepare(&empty).await?;
            let empty = program.serve(Store::Embedded(&empty), Content::AsItIs).await?;
            let compared = cell(&empty, &large, naming, connections, plan).await.context(naming.caption())?;
            report::compared(naming.caption(), connections, &compared);
            empty.stop().await?;
        }
    }
    large.stop().await
}

async fn cell(empty: &Service, large: &Service, naming: Naming, connections: usize, plan: Plan) -> Result<Compared> {
    let flow = Flow { accounts: Accounts::Spread, naming };
    let of = |service: &Service| Processes { database: None, service: Some(service.id()) };
    let (empty_processes, large_processes) = (of(empty), of(large));
    let empty = Side { name: "on the empty store", workers: ingest::senders(empty.address, flow, connections).await?, processes: &empty_processes };
    let large =
        Side { name: "on the sample's store", workers: ingest::senders(large.address, flow, connections).await?, processes: &large_processes };
    by_turns(empty, large, plan).await
}
