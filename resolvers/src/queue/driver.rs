//! The task that decides when transactions begin.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};
use tokio::task::{Id, JoinError, JoinSet};

use super::attempt::Writer;
use super::submission::Message;
use super::waiting::Waiting;
use crate::Error;

pub(super) struct Driver {
    writer: Arc<Writer>,
    arriving: mpsc::UnboundedReceiver<Message>,
    waiting: Waiting,
    under_way: JoinSet<Written>,
    /// Those who want to know when there is nothing left.
    watching: Vec<oneshot::Sender<()>>,
}

impl Driver {
    pub fn new(writer: Writer, arriving: mpsc::UnboundedReceiver<Message>) -> Self {
        let waiting = Waiting::new(writer.engine.writes_at_once());
        Self { writer: Arc::new(writer), arriving, waiting, under_way: JoinSet::new(), watching: Vec::new() }
    }

    pub async fn run(mut self) {
        let mut arrived = Vec::new();
        loop {
            self.begin_what_is_due();
            self.tell_when_idle();
            // What does not fit stays in the channel: the choice of a batch looks at all that waits.
            let room = self.waiting.room();
            tokio::select! {
                count = self.arriving.recv_many(&mut arrived, room.max(1)), if room > 0 => {
                    if count == 0 {
                        return self.finish().await;
                    }
                    arrived.drain(..).for_each(|message| self.take_in(message));
                }
                Some(ended) = self.under_way.join_next_with_id() => self.landed(ended),
                () = until(self.waiting.due_at()), if self.waiting.has_room() => {}
            }
        }
    }

    /// The last clone of the queue is gone: writes what still waits.
    async fn finish(mut self) {
        loop {
            self.begin_what_is_due();
            match self.under_way.join_next_with_id().await {
                Some(ended) => self.landed(ended),
                None if self.waiting.len() > 0 => until(self.waiting.due_at()).await,
                None => return self.tell_when_idle(),
            }
        }
    }

    fn take_in(&mut self, message: Message) {
        match message {
            Message::Write(submission) => match submission.too_large() {
                Some(too_large) => self.writer.refuse(*submission, Error::TooLarge(too_large)),
                None => self.waiting.push(submission),
            },
            Message::TellWhenIdle(watching) => self.watching.push(watching),
        }
    }

    fn tell_when_idle(&mut self) {
        if self.waiting.len() == 0 && self.under_way.is_empty() {
            for watching in self.watching.drain(..) {
                // Whoever has stopped waiting does not want to know.
                let _ = watching.send(());
            }
        }
    }

    fn begin_what_is_due(&mut self) {
        while self.waiting.has_room() && self.waiting.is_due() {
            while let Some(ended) = self.under_way.try_join_next_with_id() {
                self.landed(ended);
            }
            while self.waiting.room() > 0 {
                match self.arriving.try_recv() {
                    Ok(message) => self.take_in(message),
                    Err(_) => break,
                }
            }
            let batch = self.waiting.next_batch();
            if batch.submissions.is_empty() {
                return;
            }
            let (submissions, departed) = batch.depart();
            let writer = Arc::clone(&self.writer);
            let transaction = self.under_way.spawn(async move {
                let (rows, began) = (submissions.len(), Instant::now());
                writer.write(submissions).await;
                Written { rows, took: began.elapsed() }
            });
            self.waiting.departed(transaction.id(), departed);
        }
    }

    fn landed(&mut self, ended: Result<(Id, Written), JoinError>) {
        match ended {
            Ok((id, written)) => self.waiting.landed(id, written.rows, written.took),
            // One that panicked has dropped its callers' channels, which tells them.
            Err(error) => self.waiting.landed(error.id(), 0, Duration::ZERO),
        }
    }
}

/// Ends at a moment, or never.
async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment.into()).await,
        None => std::future::pending().await,
    }
}

/// How a transaction went, for the size of those to come.
struct Written {
    rows: usize,
    took: Duration,
}
