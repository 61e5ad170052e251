//! Prints how many payments a second each kernel takes on random networks of twenty payments an account, and the memory of a payment.
//!
//!     rates [--days 30] [--rounds 5] [PAYMENTS...]
//!
//! Accounts and times are drawn evenly over the days; every window is one day. Of each size as many networks are taken as have the payments
//! of the largest, so that none finds its payments in a cache for being small. Sizes are measured by turns, in processor time, and the best
//! of the rounds is shown: what else the machine does only takes time.

mod processor_time;

use std::error::Error;
use std::hint::black_box;
use std::time::Duration;

use analytics::{
    AccountIndex, Amount, Bins, CurrencyIndex, CycleLimits, Legs, Lookback, Network, Payment, Side, Span, Timestamp, cycles, fans, scatter_gathers,
};
use processor_time::processor_time;

const DAY: Duration = Duration::from_secs(86_400);
const DAY_MILLIS: u64 = 86_400_000;
const PAYMENTS_OF_AN_ACCOUNT: usize = 20;
const SIZES: [usize; 6] = [20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000];

/// Kernels, in the order of the columns.
const COLUMNS: [&str; 6] = ["network", "fan", "scatter-gather", "… in order", "cycles", "all"];

struct Options {
    days: u64,
    rounds: usize,
    sizes: Vec<usize>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let most = options.sizes.iter().copied().max().unwrap_or_default();
    let random_networks = |&size: &usize| (0..(most / size).max(1) as u64).map(|seed| random(size, options.days, seed)).collect();
    let networks: Vec<Vec<Vec<Payment>>> = options.sizes.iter().map(random_networks).collect();
    let mut measured: Vec<Vec<[f64; COLUMNS.len()]>> = vec![Vec::new(); networks.len()];
    let mut bytes = vec![0; networks.len()];
    for _ in 0..options.rounds {
        for (place, networks) in networks.iter().enumerate() {
            let (seconds, size) = measure(networks)?;
            measured[place].push(seconds);
            bytes[place] = size;
        }
    }
    println!("| payments | bytes each | {} |", COLUMNS.join("/s | ") + "/s");
    println!("|---{}|", "|---".repeat(COLUMNS.len() + 1));
    for (place, networks) in networks.iter().enumerate() {
        let count: f64 = networks.iter().map(|payments| payments.len() as f64).sum();
        let rates: Vec<String> = (0..COLUMNS.len()).map(|column| format!("{:.0}", count / best(&measured[place], column))).collect();
        println!("| {} | {:.1} | {} |", options.sizes[place], bytes[place] as f64 / count, rates.join(" | "));
    }
    Ok(())
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options { days: 30, rounds: 5, sizes: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--days" => options.days = arguments.next().ok_or("--days needs a number")?.parse()?,
            "--rounds" => options.rounds = arguments.next().ok_or("--rounds needs a number")?.parse()?,
            size => options.sizes.push(size.parse()?),
        }
    }
    if options.sizes.is_empty() {
        options.sizes = SIZES.to_vec();
    }
    Ok(options)
}

/// Each column's best.
fn best(rounds: &[[f64; COLUMNS.len()]], column: usize) -> f64 {
    rounds.iter().map(|round| round[column]).fold(f64::INFINITY, f64::min)
}

/// The seconds that each kernel takes for all networks, and the bytes of these.
fn measure(networks: &[Vec<Payment>]) -> Result<([f64; COLUMNS.len()], usize), Box<dyn Error>> {
    let bins = Bins::new((2..=30).collect())?;
    let span = Span::new(DAY);
    let (building, built) = timed(|| networks.iter().map(|payments| Network::new(payments)).collect::<Result<Vec<_>, _>>());
    let built = built?;
    let each = |run: &dyn Fn(&Network)| timed(|| built.iter().for_each(run)).0;
    let fans = each(&|network| {
        black_box([Side::In, Side::Out].map(|side| fans(network, side, Lookback::new(DAY), &bins)));
    });
    let scatter_gather = |legs| {
        each(&|network| {
            black_box(scatter_gathers(network, span, legs, &bins));
        })
    };
    let (any_order, in_order) = (scatter_gather(Legs::AsGraphFeaturePreprocessor), scatter_gather(Legs::InOrder));
    let cycles = each(&|network| {
        black_box(cycles(network, CycleLimits { span, payments: 5 }));
    });
    let bytes = built.iter().map(Network::bytes).sum();
    Ok(([building, fans, any_order, in_order, cycles, building + fans + any_order + cycles], bytes))
}

fn timed<T>(run: impl FnOnce() -> T) -> (f64, T) {
    let began = processor_time();
    let result = black_box(run());
    ((processor_time() - began).as_secs_f64(), result)
}

/// The same network for the same numbers.
fn random(size: usize, days: u64, seed: u64) -> Vec<Payment> {
    let accounts = (size / PAYMENTS_OF_AN_ACCOUNT).max(2) as u64;
    let mut state = size as u64 ^ seed << 32;
    let mut draw = |below: u64| {
        // SplitMix64 (Steele, Lea and Flood, 2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(mixed ^ (mixed >> 31)) * u128::from(below)) >> 64) as u64
    };
    let mut payments: Vec<Payment> = (0..size)
        .map(|_| {
            let from = draw(accounts);
            let to = (from + 1 + draw(accounts - 1)) % accounts;
            let (from, to) = (AccountIndex(from as u32), AccountIndex(to as u32));
            let at = Timestamp::from_millis(1_700_000_000_000 + draw(days * DAY_MILLIS) as i64).expect("days fit the calendar");
            Payment { from, to, at, amount: Amount(1), currency: CurrencyIndex(0) }
        })
        .collect();
    payments.sort_by_key(|payment| payment.at);
    payments
}
