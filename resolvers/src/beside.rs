//! Work that takes a while and waits for nothing, such as compiling somebody's schema.

use tokio::runtime::{Handle, RuntimeFlavor};

/// Does it while what else is under way goes on on other threads.
pub fn beside<T>(work: impl FnOnce() -> T) -> T {
    let has_others = Handle::try_current().is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread);
    if has_others { tokio::task::block_in_place(work) } else { work() }
}
