//! Standard output, for what is more than a line at a time.

use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a write has found it closed.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Standard output, which notes that whoever read it has closed it.
pub struct Output(StdoutLock<'static>);

impl Output {
    pub fn buffered() -> BufWriter<Self> {
        BufWriter::with_capacity(1 << 18, Self(io::stdout().lock()))
    }
}

/// Whether whoever read our output has closed it, and the command ended at that. Nobody wants to read more, which is no reason to fail.
pub fn is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

fn noted(error: &io::Error) {
    if error.kind() == ErrorKind::BrokenPipe {
        CLOSED.store(true, Ordering::Relaxed);
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).inspect_err(noted)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().inspect_err(noted)
    }
}
