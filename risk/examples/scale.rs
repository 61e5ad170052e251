//! What the scores of very many actors cost: all of them, and again after some have changed.
//!
//!     scale [ACTORS [PAYMENTS [CHANGED_OF_A_THOUSAND [ROUNDS]]]]
//!
//! Half of what actors pay goes to accounts of others than customers, three tenths to shops, the rest to a circle of twenty. The time of a run is that of its
//! scores, and of the breakdowns of those that are to be kept as they are others than before. Times are the processor's. After each round all scores are
//! compared with those of a run that goes on from nothing.

#[path = "../../detection/examples/bank/processor.rs"]
mod processor;

use std::collections::BTreeMap;
use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::hint::black_box;

use analytics::ActorIndex;
use detection::Quantity;
use risk::{ActorType, Facts, Input, Member, Pack, RiskRule, Scores, Summary, Tie, TieKind, score, score_again};

/// Actors who pay each other.
const CIRCLE: u32 = 20;
/// One actor in so many is a shop.
const SHOPS: u32 = 50;

/// An actor as it was read.
struct Actor {
    facts: Facts,
    ties: Vec<Tie>,
    read: u64,
}

/// A run: the scores of all, and what it took.
struct Run {
    scores: Scores,
    summaries: Vec<Summary>,
    kept: usize,
    seconds: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let numbers = std::env::args().skip(1).map(|text| text.parse::<u32>()).collect::<Result<Vec<_>, _>>();
    let numbers = numbers.map_err(|_| "usage: scale [ACTORS [PAYMENTS [CHANGED_OF_A_THOUSAND [ROUNDS]]]]")?;
    let number = |place: usize, default: u32| numbers.get(place).copied().unwrap_or(default);
    let (count, payments, changed, rounds) = (number(0, 100_000).max(1), number(1, 1_000_000), number(2, 10), number(3, 3));
    let pack = Pack::built_in()?;
    let rule = pack.live(ActorType::Individual).ok_or("no live rule")?;
    let mut random = Random(39);
    let mut actors: Vec<Actor> = (0..count).map(|at| actor(at, count, payments / count, &mut random)).collect();
    println!("{count} actors, {payments} payments, {} ties.\n", actors.iter().map(|actor| actor.ties.len()).sum::<usize>());
    println!("| round | all, s | again, s | ratio | evaluated | other scores | residual |\n|---|---:|---:|---:|---:|---:|---:|");
    let mut former = run(&actors, rule, None)?;
    println!(
        "| first | {:.2} | | | {} | {} | {:.0e} |",
        former.seconds,
        former.scores.evaluated(),
        former.kept,
        former.scores.exposures().residual()
    );
    for round in 1..=rounds {
        for at in 0..count {
            if random.below(1_000) < changed {
                actors[at as usize] = actor(at, count, payments / count, &mut random);
            }
        }
        let again = run(&actors, rule, Some(&former))?;
        let all = run(&actors, rule, None)?;
        if again.summaries != all.summaries {
            return Err("scores that go on from former ones are others than those that do not".into());
        }
        let (ratio, residual) = (again.seconds / all.seconds, again.scores.exposures().residual());
        let (evaluated, kept) = (again.scores.evaluated(), again.kept);
        println!("| {round} | {:.2} | {:.2} | **{ratio:.2}** | {evaluated} | {kept} | {residual:.0e} |", all.seconds, again.seconds);
        former = again;
    }
    Ok(())
}

fn run(actors: &[Actor], rule: &RiskRule, former: Option<&Run>) -> Result<Run, Box<dyn Error>> {
    let began = processor::seconds()?;
    let members: Vec<Member<'_>> = actors.iter().map(|actor| Member { facts: &actor.facts, rule, ties: &actor.ties, read: actor.read }).collect();
    let places: Vec<Option<ActorIndex>> = (0..actors.len() as u32).map(|at| Some(ActorIndex(at))).collect();
    let scores = match former {
        Some(former) => score_again(&members, &former.scores, &places)?,
        None => score(&members)?,
    };
    let summaries: Vec<Summary> = (0..actors.len() as u32).filter_map(|at| scores.summary(ActorIndex(at))).collect();
    let mut kept = 0;
    for (at, (member, summary)) in members.iter().zip(&summaries).enumerate() {
        if former.is_none_or(|former| former.summaries[at] != *summary) {
            black_box(member.breakdown(scores.exposures().of(ActorIndex(at as u32))));
            kept += 1;
        }
    }
    Ok(Run { scores, summaries, kept, seconds: processor::seconds()? - began })
}

/// Somebody of whom as much is known as of a customer of a bank.
fn actor(at: u32, count: u32, payments: u32, random: &mut Random) -> Actor {
    const COUNTRIES: [&str; 12] = ["DE", "AT", "FR", "NL", "PL", "IT", "CH", "ES", "US", "VN", "BG", "IR"];
    let mut facts = Facts::default();
    for input in [Input::Nationality, Input::Domicile, Input::TaxResidency] {
        facts.add_texts(input, [COUNTRIES[random.rare(12)]]);
    }
    let counterparties: Vec<&str> = (0..4).map(|_| COUNTRIES[random.rare(12)]).collect();
    facts.add_texts(Input::CounterpartyCountries, counterparties);
    facts.add_texts(Input::ActorType, ["INDIVIDUAL"]);
    facts.add_texts(Input::SubTypes, ["CUSTOMER"]);
    facts.add_texts(Input::Products, ["CURRENT", "SAVINGS"]);
    if random.below(50) == 0 {
        facts.add_texts(Input::Assessments, [["PEP=yes", "ADVERSE_MEDIA=fraud", "SANCTIONS=hit"][random.rare(3)]]);
    }
    facts.set_number(Input::RelationDays, Quantity::count(random.below(9_000) as usize));
    facts.set_number(Input::Accounts, Quantity::count(1 + random.rare(6)));
    facts.set_number(Input::Findings, Quantity::count(random.rare(4)));
    facts.set_number(Input::VolumeAgainstSegment, Quantity::count(random.rare(30)));
    let ties = ties(at, count, payments, random);
    let mut hasher = DefaultHasher::new();
    facts.hash_texts(&mut hasher);
    ties.iter().for_each(|tie| (tie.to.0, tie.kind, tie.share.map(f64::to_bits)).hash(&mut hasher));
    Actor { facts, ties, read: hasher.finish() }
}

/// Whom it pays, by the shares of its payments.
fn ties(at: u32, count: u32, payments: u32, random: &mut Random) -> Vec<Tie> {
    let mut paid: BTreeMap<u32, u32> = BTreeMap::new();
    for _ in 0..payments {
        let to = match random.below(10) {
            0..5 => continue,
            5..8 => random.below(count.div_ceil(SHOPS)) * SHOPS,
            _ => at / CIRCLE * CIRCLE + random.below(CIRCLE),
        };
        *paid.entry(to.min(count - 1)).or_default() += 1;
    }
    let share = |times: u32| Some(f64::from(times) / f64::from(payments));
    paid.into_iter().map(|(to, times)| Tie { to: ActorIndex(to), kind: TieKind::Pays, share: share(times) }).collect()
}

/// Numbers as if by chance (Steele, Lea and Flood 2014), the same each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u32) -> u32 {
        (self.next() % u64::from(bound)) as u32
    }

    /// Below a bound; the smaller the likelier.
    fn rare(&mut self, bound: usize) -> usize {
        (0..bound - 1).take_while(|_| self.below(3) == 0).count()
    }
}
