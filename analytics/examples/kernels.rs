//! The kernels that the Graph Feature Preprocessor has, too, on a file of edges: their time, and on request their counts.
//!
//!     kernels EDGES [COUNTS]
//!
//! `EDGES` has `from to seconds` a line. Printed are the seconds of processor time from the edges in memory to all counts, network
//! included, and then those of each part: network, fans, scatter-gather, cycles. `COUNTS` gets one line an edge: fan-in, fan-out,
//! scatter-gather in bins 2 to 30, cycles of 2 to 5 payments. `bench/features` compares them.

mod processor_time;

use std::error::Error;
use std::fmt::Write;
use std::time::Duration;

use analytics::{
    AccountIndex, Amount, Bins, CurrencyIndex, CycleLimits, Cycles, Fans, Legs, Lookback, Network, Payment, PaymentIndex, ScatterGathers, Side, Span,
    Timestamp, cycles, fans, scatter_gathers,
};
use processor_time::processor_time;

const DAY: Duration = Duration::from_secs(86_400);
const LENGTH: u32 = 5;

struct Counts<'a> {
    fan_in: Fans<'a>,
    fan_out: Fans<'a>,
    scatter_gather: ScatterGathers,
    cycles: Cycles,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let edges = read(&arguments.next().ok_or("usage: kernels EDGES [COUNTS]")?)?;
    let (building, network) = timed(|| Network::new(&edges));
    let network = network?;
    let mut seconds = vec![building];
    let counts = count(&network, &mut seconds)?;
    let parts: Vec<String> = seconds.iter().map(f64::to_string).collect();
    println!("{} {}", seconds.iter().sum::<f64>(), parts.join(" "));
    if let Some(file) = arguments.next() {
        std::fs::write(file, counts.lines(&network))?;
    }
    Ok(())
}

fn read(file: &str) -> Result<Vec<Payment>, Box<dyn Error>> {
    let payment = |line: &str| -> Option<Payment> {
        let mut fields = line.split(' ');
        let mut next = || fields.next();
        let (from, to) = (AccountIndex(next()?.parse().ok()?), AccountIndex(next()?.parse().ok()?));
        let at = Timestamp::from_millis(next()?.parse::<i64>().ok()? * 1_000)?;
        Some(Payment { from, to, at, amount: Amount(1), currency: CurrencyIndex(0) })
    };
    let text = std::fs::read_to_string(file)?;
    text.lines().map(|line| payment(line).ok_or_else(|| format!("no edge: {line}").into())).collect()
}

fn timed<T>(run: impl FnOnce() -> T) -> (f64, T) {
    let began = processor_time();
    let result = run();
    ((processor_time() - began).as_secs_f64(), result)
}

fn count<'a>(network: &'a Network, seconds: &mut Vec<f64>) -> Result<Counts<'a>, Box<dyn Error>> {
    let bins = Bins::new((2..=30).collect())?;
    let (span, lookback) = (Span::new(DAY), Lookback::new(DAY));
    let (fan, [fan_in, fan_out]) = timed(|| [Side::In, Side::Out].map(|side| fans(network, side, lookback, &bins)));
    let (scattered, scatter_gather) = timed(|| scatter_gathers(network, span, Legs::AsGraphFeaturePreprocessor, &bins));
    let (cycled, cycles) = timed(|| cycles(network, CycleLimits { span, payments: LENGTH }));
    seconds.extend([fan, scattered, cycled]);
    Ok(Counts { fan_in, fan_out, scatter_gather, cycles })
}

impl Counts<'_> {
    /// In the order in which the edges were read.
    fn lines(&self, network: &Network) -> String {
        let mut places: Vec<PaymentIndex> = network.payments().collect();
        places.sort_by_key(|&payment| network.loaded(payment));
        let mut text = String::new();
        for payment in places {
            let fans = [self.fan_in.memberships(payment), self.fan_out.memberships(payment)];
            let others = [self.scatter_gather.memberships(payment), self.cycles.rings(payment)];
            let line: Vec<String> = fans.into_iter().chain(others).flatten().map(|count| count.to_string()).collect();
            let _ = writeln!(text, "{}", line.join(" "));
        }
        text
    }
}
