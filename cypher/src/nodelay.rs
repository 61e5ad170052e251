//! Bolt sockets without Nagle's delay.
//!
//! neo4rs does not set `TCP_NODELAY`. A statement whose parameters pass about 8 KB is written in several pieces, and the last, small one waits
//! for the server's delayed acknowledgement: 40 ms for each statement, nine tenths of the time of a batch of 32 rows. The driver gives no
//! access to its sockets, so this sets the option from outside: it walks the process's open descriptors and sets it on those that are
//! connected to the server's port. That costs some 100 µs, so it is done only when there may be new connections: when more are in use
//! at once than ever before, after an error (the pool replaces broken ones), and at most once a second otherwise.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use tokio::sync::Semaphore;

/// A second look comes this long after the last one, because a connection may be replaced without an error of ours.
const AGAIN_AFTER_MILLIS: u64 = 1_000;

pub(crate) struct NoDelay {
    port: Option<u16>,
    started: Instant,
    looked_at: AtomicU64,
    most_in_use: AtomicUsize,
    due: AtomicBool,
    capacity: AtomicUsize,
}

impl NoDelay {
    /// Watches connections to the port that `url` names (7687 when it names none).
    pub(crate) fn watch(url: &str) -> Self {
        let authority = url.split_once("://").map_or(url, |(_, rest)| rest);
        let authority = authority.split(['/', '?']).next().unwrap_or_default();
        Self::of(match authority.rsplit_once(':') {
            Some((_, port)) => port.parse().ok(),
            None => Some(7687),
        })
    }

    /// Watches other connections to the same port.
    pub(crate) fn for_others(&self) -> Self {
        Self::of(self.port)
    }

    fn of(port: Option<u16>) -> Self {
        Self {
            port,
            started: Instant::now(),
            looked_at: AtomicU64::new(0),
            most_in_use: AtomicUsize::new(0),
            due: AtomicBool::new(true),
            capacity: AtomicUsize::new(0),
        }
    }

    /// Notes how many connections are in use; a new record means that a connection is being opened.
    pub(crate) fn in_use(&self, places: &Semaphore) {
        let free = places.available_permits();
        let capacity = self.capacity.fetch_max(free + 1, Ordering::Relaxed).max(free + 1);
        let in_use = capacity.saturating_sub(free);
        if self.most_in_use.fetch_max(in_use, Ordering::Relaxed) < in_use {
            self.due.store(true, Ordering::Relaxed);
        }
    }

    /// The pool may have opened connections that were not counted.
    pub(crate) fn connections_may_have_changed(&self) {
        self.due.store(true, Ordering::Relaxed);
    }

    /// Sets the option where it is due. Called after a connection was used, when it surely exists.
    pub(crate) fn apply(&self) {
        let now = self.started.elapsed().as_millis() as u64;
        let due = self.due.swap(false, Ordering::Relaxed);
        if !due && now.saturating_sub(self.looked_at.load(Ordering::Relaxed)) < AGAIN_AFTER_MILLIS {
            return;
        }
        self.looked_at.store(now, Ordering::Relaxed);
        if let Some(port) = self.port {
            set_on_connections_to(port);
        }
    }
}

#[cfg(unix)]
fn set_on_connections_to(port: u16) {
    use std::os::fd::BorrowedFd;

    // Linux and macOS both list a process's own descriptors here.
    let Ok(descriptors) = std::fs::read_dir("/dev/fd") else { return };
    for descriptor in descriptors.flatten() {
        let Some(number) = descriptor.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        // SAFETY: the descriptor was open a moment ago. If it was closed since, the calls below fail with EBADF; if its number went to another
        // file, that file is no socket connected to the server's port, or it is one and wants the option. Nothing is read, written or closed.
        let borrowed = unsafe { BorrowedFd::borrow_raw(number) };
        let socket = socket2::SockRef::from(&borrowed);
        let to_server = socket.peer_addr().ok().and_then(|peer| peer.as_socket()).is_some_and(|peer| peer.port() == port);
        if to_server && matches!(socket.tcp_nodelay(), Ok(false)) {
            let _ = socket.set_tcp_nodelay(true);
        }
    }
}

#[cfg(not(unix))]
fn set_on_connections_to(_port: u16) {}
