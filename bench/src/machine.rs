//! The machine, and what processes take of it, as `/proc` tells. (Linux only, like the measurements this is for.)

use std::fs;
use std::ops::{AddAssign, Sub};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

/// Linux counts processor time for `/proc` in hundredths of a second on every architecture it runs on today.
const TICKS_A_SECOND: f64 = 100.0;

/// One line about the machine.
pub fn line() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .and_then(|rest| rest.split_once(':'))
        .map_or("unknown processor", |(_, name)| name.trim());
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kib = memory.lines().find_map(|line| kib(line, "MemTotal:")).unwrap_or_default();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("?");
    format!("{cores} cores ({model}), {:.0} GiB of memory, load average {load} at the start.", kib as f64 / (1 << 20) as f64)
}

/// Lets this process have so many connections to one address. Fails with what the system allows, where that is less.
pub fn make_room_for(connections: usize) -> Result<()> {
    // For the store, the service's own files and all other clients.
    const OTHERS: u64 = 2_000;
    let wanted = connections as u64 + OTHERS;
    let files = rlimit::increase_nofile_limit(wanted).context("raising the limit of open files")?;
    ensure!(files >= wanted, "{connections} connections need {wanted} open files, and the system allows {files} (`ulimit -Hn`)");
    let ports = local_ports().unwrap_or(wanted);
    ensure!(ports >= wanted, "{connections} connections need {wanted} ports, and net.ipv4.ip_local_port_range has {ports}");
    Ok(())
}

/// Ports that connections begin at; none where the system does not say.
fn local_ports() -> Option<u64> {
    let range = fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").ok()?;
    let mut ends = range.split_whitespace().map(|end| end.parse::<u64>().ok());
    let (first, last) = (ends.next()??, ends.next()??);
    Some((last + 1).saturating_sub(first))
}

/// Resident memory of a process, in MiB.
pub fn resident_mib(process: u32) -> Result<f64> {
    memory_mib(process, "VmRSS:")
}

/// The most memory of a process that was ever resident, in MiB.
pub fn peak_mib(process: u32) -> Result<f64> {
    memory_mib(process, "VmHWM:")
}

fn memory_mib(process: u32, name: &str) -> Result<f64> {
    let path = format!("/proc/{process}/status");
    let status = fs::read_to_string(&path).with_context(|| path.clone())?;
    let kib = status.lines().find_map(|line| kib(line, name)).with_context(|| format!("{path} has no {name}"))?;
    Ok(kib as f64 / 1024.0)
}

fn kib(line: &str, name: &str) -> Option<u64> {
    line.strip_prefix(name)?.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The processes whose processor time is told apart; the third is this one.
#[derive(Clone, Copy)]
pub struct Processes {
    pub database: Option<u32>,
    pub service: Option<u32>,
}

/// Processor seconds of each process, or cores when divided by time.
#[derive(Clone, Copy, Default)]
pub struct Share {
    pub database: f64,
    pub service: f64,
    pub client: f64,
}

impl Processes {
    /// Processor seconds used so far.
    pub fn used(&self) -> Share {
        let of = |process: Option<u32>| process.and_then(|process| seconds(&format!("/proc/{process}/stat"))).unwrap_or_default();
        Share { database: of(self.database), service: of(self.service), client: seconds("/proc/self/stat").unwrap_or_default() }
    }
}

fn seconds(path: &str) -> Option<f64> {
    let stat = fs::read_to_string(path).ok()?;
    // The second field is the program's name in brackets, and may hold anything; the 14th and 15th are user and system time.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / TICKS_A_SECOND)
}

impl Share {
    /// Cores in use on average over a time.
    pub fn over(self, time: Duration) -> Self {
        let seconds = time.as_secs_f64();
        Self { database: self.database / seconds, service: self.service / seconds, client: self.client / seconds }
    }

    /// Processor milliseconds of each of so many things that were done.
    pub fn millis_each(self, count: usize) -> Self {
        let each = count as f64 / 1000.0;
        Self { database: self.database / each, service: self.service / each, client: self.client / each }
    }
}

impl Sub for Share {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { database: self.database - other.database, service: self.service - other.service, client: self.client - other.client }
    }
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.database += other.database;
        self.service += other.service;
        self.client += other.client;
    }
}
