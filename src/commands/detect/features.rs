//! `amlgraph detect features PAYMENTS.csv`: what the kernels say of each payment, as CSV, without any database.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::time::Duration;

use analytics::{CycleLimits, FeatureOptions, Features, Lookback, PaymentIndex, Span};
use anyhow::Context;

use super::payments::{self, Payments};
use crate::cli::FeaturesOptions;
use crate::commands::output::Output;

/// Reads all payments, then writes a line for each, in the order in which they were read.
pub fn run(options: FeaturesOptions) -> anyhow::Result<()> {
    let file: Box<dyn Read> = match options.payments.as_os_str() {
        file if file == "-" => Box::new(io::stdin().lock()),
        file => Box::new(File::open(file).with_context(|| options.payments.display().to_string())?),
    };
    let payments = payments::read(BufReader::with_capacity(1 << 18, file)).with_context(|| options.payments.display().to_string())?;
    write(&payments, &feature_options(options), Output::buffered()).context("writing features")
}

/// A window that is not given is the common one.
fn feature_options(options: FeaturesOptions) -> FeatureOptions {
    let window = |own: Option<Duration>| own.unwrap_or(options.window);
    FeatureOptions {
        fan: Lookback::new(window(options.fan_window)),
        velocity: Lookback::new(window(options.velocity_window)),
        scatter_gather: Span::new(window(options.scatter_gather_window)),
        legs: options.scatter_gather.into(),
        through: Span::new(window(options.pass_through_window)),
        cycles: CycleLimits { span: Span::new(window(options.cycle_window)), payments: options.cycle_length },
        bins: options.bins,
    }
}

fn write(payments: &Payments, options: &FeatureOptions, out: impl Write) -> io::Result<()> {
    let Payments { network, ids, .. } = payments;
    let features = Features::new(network, options);
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["id"].into_iter().chain(features.columns().iter().map(|column| column.name.as_str())))?;
    let mut order: Vec<PaymentIndex> = network.payments().collect();
    order.sort_by_key(|&payment| network.loaded(payment));
    for payment in order {
        let mut written = csv.write_field(ids.get(network.loaded(payment)));
        features.show(payment, |cell| {
            if written.is_ok() {
                written = csv.write_field(cell);
            }
        });
        written?;
        csv.write_record(None::<&[u8]>)?;
    }
    csv.flush()
}

#[cfg(test)]
mod tests;
