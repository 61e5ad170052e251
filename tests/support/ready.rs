//! Waiting until a server is ready, as whoever sends requests to one does.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A cold Neo4j on a busy machine takes its time for the plans; a bound of the program's own lies before this.
pub const READY_WITHIN: Duration = Duration::from_secs(150);

/// Returns when a server answers 200 on `/health/ready`; panics where that takes too long.
pub fn wait_until_ready(base: &str) {
    let started = Instant::now();
    while !is_ready(base) {
        assert!(started.elapsed() < READY_WITHIN, "the server is not ready");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Without a runtime, as tests start servers inside and outside of one.
fn is_ready(base: &str) -> bool {
    let address = base.trim_start_matches("http://");
    let ask = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        write!(stream, "GET /health/ready HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    ask().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200"))
}
