//! Bringing a folder of `<list>.ndjson` files in, list by list in [`List::ALL`]'s order, so that what is named mostly comes before what names it.
//!
//! A [`Source`] gives lines in batches, a [`Target`] takes them: the store itself, or a server, which may process them later. Two batches are under way at a time: while one is
//! written, the next is read and parsed. After each batch the [`Checkpoint`] notes how far the target has come; a run that was broken off goes on from
//! there. The [`Summary`] says in the end what became of every line.

mod bulk;
mod checkpoint;
mod progress;
mod server;
mod single;
mod source;
mod summary;
mod target;

use futures::future::BoxFuture;
use futures::{StreamExt, stream};
use graph_schema::fault::Unacceptable;
use tokio::sync::oneshot;

pub use checkpoint::Checkpoint;
pub use source::Source;
pub use summary::Summary;
pub use target::Target;

use checkpoint::Position;
use progress::Progress;
use source::Batch;

/// Batches under way at once: one that is written, and one that is read and checked meanwhile and then waits for its turn.
const UNDER_WAY: usize = 2;

/// The lists, by the names of their files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    Actors,
    Accounts,
    AccountActors,
    Associates,
    Transactions,
    Devices,
    SignIns,
    AccountBalances,
    ActorSegmentationGroups,
    Observations,
    Communications,
    Cases,
}

impl List {
    /// All lists, in the order they are imported.
    pub const ALL: [List; 12] = [
        List::Actors,
        List::Accounts,
        List::AccountActors,
        List::Associates,
        List::Transactions,
        List::Devices,
        List::SignIns,
        List::AccountBalances,
        List::ActorSegmentationGroups,
        List::Observations,
        List::Communications,
        List::Cases,
    ];

    /// The list's name; its file is `<name>.ndjson`.
    pub fn name(self) -> &'static str {
        match self {
            List::Actors => "actors",
            List::Accounts => "accounts",
            List::AccountActors => "account_actors",
            List::Associates => "associates",
            List::Transactions => "transactions",
            List::Devices => "devices",
            List::SignIns => "sign_ins",
            List::AccountBalances => "account_balances",
            List::ActorSegmentationGroups => "actor_segmentation_groups",
            List::Observations => "observations",
            List::Communications => "communications",
            List::Cases => "cases",
        }
    }
}

/// A line and where it stands, counted from 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub number: u64,
    pub text: String,
}

/// What became of a line.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Accepted,
    /// Each reason as `<where>: <what is wrong>`.
    Refused(Vec<String>),
    /// It was taken, and waits for these at the server.
    Waiting(Vec<String>),
}

impl Outcome {
    fn of_faults(unacceptable: &Unacceptable) -> Self {
        Self::Refused(unacceptable.faults().iter().map(ToString::to_string).collect())
    }
}

/// Brings everything of a source to a target. With a checkpoint, progress is noted; when all is done its notes are removed.
pub async fn load(source: Source<'_>, target: Target, mut checkpoint: Option<Checkpoint>) -> anyhow::Result<Summary> {
    let mut summary = Summary::default();
    let mut progress = Progress::begin(source.weight);
    summary.skip(source.lines_skipped);
    progress.advance(source.weight_skipped);
    for mut reader in source.into_readers() {
        let list = reader.list;
        let batches = stream::iter(std::iter::from_fn(move || reader.next_batch().transpose()));
        let mut turns = Turns::default();
        let sent = batches.map(|batch| send(&target, list, batch, turns.next())).buffered(UNDER_WAY);
        let mut sent = std::pin::pin!(sent);
        while let Some(done) = sent.next().await {
            let done = done?;
            for (line, outcome) in done.outcomes {
                summary.enter(list.name(), line, outcome);
            }
            if let Some(checkpoint) = &mut checkpoint {
                checkpoint.reached(list, done.end)?;
            }
            progress.advance(done.weight);
            progress.tell(list, &summary);
        }
    }
    target.settle(&mut summary).await?;
    if let Some(checkpoint) = &mut checkpoint {
        checkpoint.finish()?;
    }
    progress.end();
    Ok(summary)
}

/// Batches take turns in being written: of two lines about one thing the later must be the last word.
#[derive(Default)]
struct Turns {
    before: Option<oneshot::Receiver<()>>,
}

/// One batch's turn.
struct Turn {
    /// Comes when the batch before is written, and never when it could not be.
    begins: BoxFuture<'static, ()>,
    /// To be told when this one is written.
    over: oneshot::Sender<()>,
}

impl Turns {
    fn next(&mut self) -> Turn {
        let (over, after) = oneshot::channel();
        let before = self.before.replace(after);
        let begins = async move {
            if let Some(before) = before
                && before.await.is_err()
            {
                std::future::pending::<()>().await;
            }
        };
        Turn { begins: Box::pin(begins), over }
    }
}

/// A batch that the target has answered.
struct Done {
    outcomes: Vec<(u64, Outcome)>,
    end: Position,
    weight: u64,
}

async fn send(target: &Target, list: List, batch: anyhow::Result<Batch>, turn: Turn) -> anyhow::Result<Done> {
    let Batch { lines, unreadable, end, weight } = batch?;
    let numbers: Vec<u64> = lines.iter().map(|line| line.number).collect();
    let answered = target.send(list, lines, turn.begins).await?;
    // Whoever stopped waiting has stopped all.
    let _ = turn.over.send(());
    let outcomes = numbers.into_iter().zip(answered).chain(unreadable).collect();
    Ok(Done { outcomes, end, weight })
}
