//! What a grid of a hundred sets of thresholds costs, against a single run of the same rule over the same days.
//!
//!     what_if [SEED [DAYS [ROUNDS]]]
//!
//! A single run finds and explains, with the defaults. The grid has ten values around the default of each of two of the rule's thresholds.
//! Both take turns over the last days of a generated network. Times are the processor's; each is the median of the turns, as is the ratio.

mod bank;
#[path = "bank/processor.rs"]
mod processor;

use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;

use detection::{Dataset, Day, Grid, Pack, Parameter, Quantity, Rule, Search, Settings, what_if};
use sample::typologies;

/// Values of each of two thresholds.
const VALUES: usize = 10;
/// Of these so many below the default, where the bounds leave room.
const BELOW: usize = 4;

/// What both took in one turn, in seconds of a processor.
#[derive(Clone, Copy, Default)]
struct Turn {
    single: f64,
    grid: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let numbers = std::env::args().skip(1).map(|text| text.parse::<u64>()).collect::<Result<Vec<_>, _>>();
    let numbers = numbers.map_err(|_| "usage: what_if [SEED [DAYS [ROUNDS]]]")?;
    let number = |place: usize, default: u64| numbers.get(place).copied().unwrap_or(default);
    let (seed, count, rounds) = (number(0, 29), number(1, 30) as usize, number(2, 5) as usize);
    let network = typologies::generate(&typologies::Settings::with_seed(seed))?;
    let (dataset, days) = (bank::dataset(&network)?, bank::days(&network)?);
    let days = &days[days.len().saturating_sub(count)..];
    let pack = Pack::built_in()?;
    println!("Seed {seed}, the last {} days, {rounds} turns.\n", days.len());
    println!("| rule | thresholds | single run, ms | 100 sets, ms | ratio |\n|---|---|---:|---:|---:|");
    let mut all = vec![Turn::default(); rounds];
    for rule in pack.rules().iter().map(|packed| &packed.rule).filter(|rule| matches!(rule.search, Search::Kernel(_))) {
        let Some((names, grid)) = grid(rule) else { continue };
        let turns = (0..rounds).map(|round| turn(rule, &dataset, days, &grid, round)).collect::<Result<Vec<_>, _>>()?;
        for (sum, turn) in all.iter_mut().zip(&turns) {
            sum.single += turn.single;
            sum.grid += turn.grid;
        }
        print(&rule.id, &names.join(", "), &turns);
    }
    print("all", "", &all);
    Ok(())
}

/// A hundred sets of the first two thresholds that have so many values; nothing where there are no two.
fn grid(rule: &Rule) -> Option<(Vec<String>, Grid)> {
    let values = rule.thresholds().map(|(name, parameter, _)| (name.to_owned(), around(parameter))).filter(|(_, values)| values.len() == VALUES);
    let values: BTreeMap<String, Vec<Quantity>> = values.take(2).collect();
    let points = Grid::combinations(&values);
    let grid = Grid::new(rule, &Settings::of(rule), &points).ok()?;
    (points.len() == VALUES * VALUES).then(|| (values.into_keys().collect(), grid))
}

/// Values around the default, a step apart, within the bounds.
fn around(parameter: &Parameter) -> Vec<Quantity> {
    let step = |value: Quantity| value.plus(parameter.step);
    let mut first = parameter.default;
    for _ in 0..BELOW {
        let lower = first.minus(parameter.step);
        first = if lower < parameter.min { first } else { lower };
    }
    std::iter::successors(Some(first), |&value| Some(step(value))).take_while(|&value| value <= parameter.max).take(VALUES).collect()
}

/// Both sides once; which comes first alternates.
fn turn(rule: &Rule, dataset: &Dataset, days: &[Day], grid: &Grid, round: usize) -> Result<Turn, Box<dyn Error>> {
    let mut turn = Turn::default();
    for is_grid in if round.is_multiple_of(2) { [false, true] } else { [true, false] } {
        let settings = Settings::of(rule);
        let began = processor::seconds()?;
        if is_grid {
            black_box(what_if(rule, dataset, days, &settings, grid));
            turn.grid = processor::seconds()? - began;
        } else {
            for &day in days {
                black_box(rule.detect(dataset, day, &settings));
            }
            turn.single = processor::seconds()? - began;
        }
    }
    Ok(turn)
}

fn print(rule: &str, thresholds: &str, turns: &[Turn]) {
    let median = |of: fn(&Turn) -> f64| {
        let mut values: Vec<f64> = turns.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    let (single, grid, ratio) = (median(|turn| turn.single), median(|turn| turn.grid), median(|turn| turn.grid / turn.single));
    println!("| {rule} | {thresholds} | {:.1} | {:.1} | **{ratio:.2}** |", single * 1e3, grid * 1e3);
}
