//! The worker of this process: what nobody waits for, done beside the API or by itself. What there is to do, and how workers share it, is in
//! [`resolvers::jobs`].

use resolvers::Resolvers;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A worker that is at it.
pub struct Working {
    task: JoinHandle<()>,
    /// Dropping it tells the worker to stop.
    stop: oneshot::Sender<()>,
}

/// Starts working.
pub fn start(resolvers: &Resolvers) -> Working {
    let (stop, stopped) = oneshot::channel::<()>();
    let worker = resolvers.worker();
    let task = tokio::spawn(worker.run(async {
        // Nothing is ever sent.
        let _ = stopped.await;
    }));
    Working { task, stop }
}

impl Working {
    /// Lets runs under way come to an end, and returns when all leases are let go of.
    pub async fn stop(self) {
        drop(self.stop);
        if let Err(error) = self.task.await {
            tracing::error!(panicked = error.is_panic(), "the worker ended by itself");
        }
    }
}
