//! A rule as a bank's policy reads: one line for each rating.

use detection::Quantity;

use crate::rule::{Factor, Ratings, RiskRule};

impl RiskRule {
    /// The rows of a table in Markdown: factor, what counts, of how many points which part, and how many points that is. They say all that the rule says of
    /// numbers.
    pub fn policy(&self) -> Vec<String> {
        self.factors.iter().flat_map(|(name, factor)| factor.policy(name)).collect()
    }
}

impl Factor {
    fn policy(&self, name: &str) -> Vec<String> {
        let row = |what: String, rating: Quantity| {
            let points = self.weight.times(rating).rounded_down(Quantity::TEN_THOUSANDTH);
            format!("| {name} | {what} | {rating} × {} | {points} |", self.weight)
        };
        let mut rows: Vec<String> = match &self.ratings {
            Ratings::Values { values, other } => {
                let rows = values.iter().map(|rated| row(rated.any.join(", "), rated.rating));
                rows.chain([row("any other".to_owned(), *other)]).collect()
            }
            Ratings::Bands(bands) => bands.iter().map(|band| row(format!("from {}", band.from), band.rating)).collect(),
            Ratings::Full(full) => vec![row(format!("{full} or more; less in proportion"), Quantity::ONE)],
        };
        rows.push(row("not known".to_owned(), self.absent));
        rows
    }
}
