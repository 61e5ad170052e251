//! What would be found with other thresholds.
//!
//! Thresholds are compared behind the search, so that a whole grid of them costs one pass over the network. Another window is another pass.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use analytics::PaymentIndex;
use serde::Serialize;

use crate::dataset::{ActorIndex, Dataset};
use crate::day::Day;
use crate::detect::firsts;
use crate::kernels::Scope;
use crate::matches::{History, Match};
use crate::quantity::Quantity;
use crate::rule::{Compare, InvalidSetting, Role, Rule, Settings, Threshold};

/// Values of thresholds by their names; what is absent has the default.
pub type Point = BTreeMap<String, Quantity>;

/// Points of a grid, free of faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid(Vec<Settings>);

/// A value of a grid that costs more than one pass, or that the rule could not be tuned to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvalidGrid {
    Setting {
        point: usize,
        setting: InvalidSetting,
    },
    /// It goes into the search, which has another value.
    Pass {
        point: usize,
        parameter: String,
        searched: Quantity,
    },
}

impl InvalidGrid {
    /// Which of the points it is in, from zero on.
    pub fn point(&self) -> usize {
        match self {
            Self::Setting { point, .. } | Self::Pass { point, .. } => *point,
        }
    }

    /// The name of the parameter.
    pub fn parameter(&self) -> &str {
        match self {
            Self::Setting { setting, .. } => setting.name(),
            Self::Pass { parameter, .. } => parameter,
        }
    }

    /// What would be right, as it stands behind the name.
    pub fn must(&self) -> String {
        match self {
            Self::Setting { setting, .. } => setting.must(),
            Self::Pass { searched, .. } => format!("must stay {searched}: it goes into the search, and another value is another search"),
        }
    }
}

impl fmt::Display for InvalidGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.parameter(), self.must())
    }
}

impl std::error::Error for InvalidGrid {}

impl Grid {
    /// The points of a grid around some settings, of values that may lie between steps. All faults are told at once.
    pub fn new(rule: &Rule, settings: &Settings, points: &[Point]) -> Result<Self, Vec<InvalidGrid>> {
        Self::checked(rule, settings, points, |_, _| Ok(()))
    }

    /// The same of values that somebody tries: they are those that the rule could be tuned to.
    pub fn tried(rule: &Rule, settings: &Settings, points: &[Point]) -> Result<Self, Vec<InvalidGrid>> {
        Self::checked(rule, settings, points, |name, value| rule.check(name, value))
    }

    fn checked(
        rule: &Rule,
        settings: &Settings,
        points: &[Point],
        check: impl Fn(&str, Quantity) -> Result<(), InvalidSetting>,
    ) -> Result<Self, Vec<InvalidGrid>> {
        let (mut grid, mut faults) = (Vec::with_capacity(points.len()), Vec::new());
        for (place, point) in points.iter().enumerate() {
            let mut settings = settings.clone();
            for (name, &value) in point {
                let role = rule.parameters.get(name).map(|parameter| &parameter.role);
                let searched = settings.value(name);
                if role == Some(&Role::Pass) && value != searched {
                    faults.push(InvalidGrid::Pass { point: place, parameter: name.clone(), searched });
                } else if let Err(setting) = check(name, value).and_then(|()| settings.set(rule, name, value)) {
                    faults.push(InvalidGrid::Setting { point: place, setting });
                }
            }
            grid.push(settings);
        }
        if faults.is_empty() { Ok(Self(grid)) } else { Err(faults) }
    }

    /// All combinations of values: the first name varies slowest.
    pub fn combinations(values: &BTreeMap<String, Vec<Quantity>>) -> Vec<Point> {
        values.iter().fold(vec![Point::new()], |points, (name, values)| {
            let with = |point: &Point, &value: &Quantity| {
                let mut point = point.clone();
                point.insert(name.clone(), value);
                point
            };
            points.iter().flat_map(|point| values.iter().map(move |value| with(point, value))).collect()
        })
    }

    pub fn points(&self) -> &[Settings] {
        &self.0
    }
}

/// What one point of a grid finds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    pub settings: Settings,
    /// Findings of all days; one that lasts for several days counts on each.
    pub findings: usize,
    /// Different actors with findings.
    pub actors: usize,
    /// Different payments that findings cite.
    pub payments: usize,
    /// Findings of each day, in the days' order.
    pub by_day: Vec<usize>,
}

/// Evaluates all points of a grid in one pass. The search has the settings that the grid was made around.
///
/// A match costs one comparison where no point can take it, and those that some point takes are joined once for each set of them that points
/// take. Nothing is explained, as counting needs no evidence. Of a rule that is a statement the dataset has the marks of one day, so that there is one
/// pass a day.
pub fn what_if(rule: &Rule, dataset: &Dataset, days: &[Day], settings: &Settings, grid: &Grid) -> Vec<Outcome> {
    let limits = Limits::of(rule, grid);
    let mut tally = Tally::default();
    for &day in days {
        let scope = Scope { dataset, day, settings, history: History::Measured };
        let matches = rule.search(&scope);
        let mut taken: Vec<Taken<'_>> = matches.iter().filter_map(|found| limits.takers(found).map(|by| Taken { found, by })).collect();
        taken.sort_by_key(|taken| taken.found.actor);
        tally.add(&taken, grid.0.len());
    }
    tally.outcomes(grid)
}

/// A match, and the points that take it.
struct Taken<'a> {
    found: &'a Match,
    by: Points,
}

/// Some points of a grid: a bit for each.
#[derive(Clone, PartialEq, Eq)]
struct Points(Vec<u64>);

impl Points {
    fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(BITS)])
    }

    fn add(&mut self, point: usize) {
        self.0[point / BITS] |= 1 << (point % BITS);
    }

    fn add_all(&mut self, others: &Self) {
        self.0.iter_mut().zip(&others.0).for_each(|(word, others)| *word |= others);
    }

    fn has(&self, point: usize) -> bool {
        self.0[point / BITS] & 1 << (point % BITS) != 0
    }

    fn are_none(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

/// Bits of a word of [`Points`].
const BITS: usize = u64::BITS as usize;

/// The thresholds of a rule with the limits of all points, laid out so that many matches are compared with them.
struct Limits<'a> {
    thresholds: Vec<&'a Threshold>,
    /// Of each point, in the order of the thresholds.
    points: Vec<Vec<Quantity>>,
    /// Of each threshold the limit that is passed by whatever passes that of any point. There are as many as thresholds, or none of no points.
    loosest: Vec<Quantity>,
}

impl<'a> Limits<'a> {
    fn of(rule: &'a Rule, grid: &Grid) -> Self {
        let (names, thresholds): (Vec<&str>, Vec<&Threshold>) = rule.thresholds().map(|(name, _, threshold)| (name, threshold)).unzip();
        let points: Vec<Vec<Quantity>> = grid.0.iter().map(|settings| names.iter().map(|name| settings.value(name)).collect()).collect();
        let loosest = thresholds.iter().enumerate().filter_map(|(place, threshold)| {
            let limits = points.iter().map(|limits| limits[place]);
            match threshold.compare {
                Compare::AtLeast | Compare::MoreThan => limits.min(),
                Compare::AtMost | Compare::LessThan => limits.max(),
            }
        });
        Self { loosest: loosest.collect(), thresholds, points }
    }

    /// The points whose thresholds a match passes, all of them; nothing where there is none. A measure that the match does not have passes none.
    fn takers(&self, found: &Match) -> Option<Points> {
        let mut measures = Vec::with_capacity(self.thresholds.len());
        for (threshold, loosest) in self.thresholds.iter().zip(&self.loosest) {
            let measured = *found.measures.get(threshold.measure.as_str())?;
            if !threshold.compare.passes(measured, *loosest) {
                return None;
            }
            measures.push(measured);
        }
        let mut by = Points::none(self.points.len());
        for (point, limits) in self.points.iter().enumerate() {
            let passes = |((threshold, &measured), &limit): ((&&Threshold, &Quantity), &Quantity)| threshold.compare.passes(measured, limit);
            if self.thresholds.iter().zip(&measures).zip(limits).all(passes) {
                by.add(point);
            }
        }
        (!by.are_none()).then_some(by)
    }
}

/// What was counted on the days so far, of all points.
#[derive(Default)]
struct Tally {
    /// Of each day the findings of each point.
    days: Vec<Vec<usize>>,
    /// By which points an actor has findings, and by which a payment is cited.
    actors: HashMap<ActorIndex, Points>,
    payments: HashMap<PaymentIndex, Points>,
}

impl Tally {
    /// Adds a day's matches that some point takes, those of one actor side by side.
    fn add(&mut self, taken: &[Taken<'_>], points: usize) {
        let mut findings = vec![0; points];
        for of_actor in taken.chunk_by(|one, other| one.found.actor == other.found.actor) {
            for Taken { found, by } in of_actor {
                self.actors.entry(found.actor).or_insert_with(|| Points::none(points)).add_all(by);
                for &payment in &found.payments {
                    self.payments.entry(payment).or_insert_with(|| Points::none(points)).add_all(by);
                }
            }
            add_findings(of_actor, &mut findings);
        }
        self.days.push(findings);
    }

    fn outcomes(self, grid: &Grid) -> Vec<Outcome> {
        let outcome = |(point, settings): (usize, &Settings)| {
            let by_day: Vec<usize> = self.days.iter().map(|findings| findings[point]).collect();
            Outcome {
                settings: settings.clone(),
                findings: by_day.iter().sum(),
                actors: self.actors.values().filter(|points| points.has(point)).count(),
                payments: self.payments.values().filter(|points| points.has(point)).count(),
                by_day,
            }
        };
        grid.0.iter().enumerate().map(outcome).collect()
    }
}

/// Adds to each point how many findings the matches of one actor are that it takes. Points that take the same ones have the same findings.
fn add_findings(of_actor: &[Taken<'_>], findings: &mut [usize]) {
    let mut known: HashMap<Vec<usize>, usize> = HashMap::new();
    for (point, findings) in findings.iter_mut().enumerate() {
        let places: Vec<usize> = of_actor.iter().enumerate().filter(|(_, taken)| taken.by.has(point)).map(|(place, _)| place).collect();
        *findings += match places.len() {
            0 | 1 => places.len(),
            _ => *known.entry(places).or_insert_with_key(|places| {
                let matches: Vec<&Match> = places.iter().map(|&place| of_actor[place].found).collect();
                firsts(&matches).iter().enumerate().filter(|&(place, &first)| place == first).count()
            }),
        };
    }
}
