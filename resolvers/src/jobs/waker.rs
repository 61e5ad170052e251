//! Waking the worker of this process.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

/// Tells the worker of this process that there is something to do. Cheap to clone, and to use: where no worker is, nothing comes of it (those
/// of other processes look for themselves). To be used after the commit: a worker that looks before it sees nothing.
#[derive(Clone, Default)]
pub struct Waker(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// Jobs that were woken and not begun since.
    woken: Mutex<BTreeSet<&'static str>>,
    bell: Notify,
    /// For jobs of which there may be any number.
    job_bell: Notify,
}

impl Waker {
    /// Wakes a job by its name, `Job::NAME`.
    pub fn wake(&self, job: &'static str) {
        if self.0.woken.lock().unwrap_or_else(PoisonError::into_inner).insert(job) {
            self.0.bell.notify_one();
        }
    }

    /// Says that a job of those of which there may be any number can be begun.
    pub fn wake_jobs(&self) {
        self.0.job_bell.notify_one();
    }

    /// Returns once that has been said since the last call.
    pub(super) async fn job_rung(&self) {
        self.0.job_bell.notified().await;
    }

    /// Returns once a job has been woken since the last call.
    pub(super) async fn rung(&self) {
        self.0.bell.notified().await;
    }

    pub(super) fn is_woken(&self, job: &str) -> bool {
        self.0.woken.lock().unwrap_or_else(PoisonError::into_inner).contains(job)
    }

    pub(super) fn woken(&self) -> BTreeSet<&'static str> {
        self.0.woken.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The job has been begun: it will see all that it was woken for.
    pub(super) fn begun(&self, job: &str) {
        self.0.woken.lock().unwrap_or_else(PoisonError::into_inner).remove(job);
    }
}
