//! The network as CSV.

use std::fmt::Write;

use chrono::{DateTime, SecondsFormat};

use super::network::{Network, Payment};

impl Network {
    /// The payments, `id,from,to,at,amount,currency`: times are RFC 3339 in UTC, amounts are exact decimals.
    pub fn to_csv(&self) -> String {
        let mut csv = String::with_capacity(self.payments.len() * 88);
        csv.push_str("id,from,to,at,amount,currency\n");
        for payment in &self.payments {
            let Payment { id, from, to, amount, currency, .. } = payment;
            // Writing to a text can't fail.
            let _ = writeln!(csv, "{id},{from},{to},{},{amount},{}", time(payment.at), currency.code());
        }
        csv
    }

    /// The truth, `payment,typology,case`: one line for each payment of each planted case, cases counted from zero.
    pub fn truth_csv(&self) -> String {
        let mut csv = String::from("payment,typology,case\n");
        for (case, planted) in self.planted.iter().enumerate() {
            for payment in &planted.payments {
                let _ = writeln!(csv, "{payment},{},{case}", planted.typology.name());
            }
        }
        csv
    }
}

/// A time in RFC 3339.
fn time(millis: i64) -> String {
    // All times of a network lie in the calendar.
    DateTime::from_timestamp_millis(millis).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
}
