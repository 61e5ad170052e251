//! Spans of time as settings write them: `250ms`, `5s`, `10m`, `24h`, `7d`.

use std::time::Duration;

/// Reads a span; the unit is required, because `10` says nothing.
pub fn parse(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let millis: u64 = match unit.trim() {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err(problem(text)),
    };
    let number: u64 = number.parse().map_err(|_| problem(text))?;
    number.checked_mul(millis).map(Duration::from_millis).ok_or_else(|| problem(text))
}

/// Reads a span that must not be empty: a limit of nothing would refuse everything.
pub fn parse_positive(text: &str) -> Result<Duration, String> {
    match parse(text)? {
        Duration::ZERO => Err(format!("\"{text}\" must be longer than nothing")),
        span => Ok(span),
    }
}

fn problem(text: &str) -> String {
    format!("\"{text}\" must be a number with ms, s, m, h or d, e.g. 5s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_read() {
        let read = ["250ms", "5s", "10m", "24h", "7d", "0s"].map(|text| parse(text).map(|span| span.as_millis()));
        assert_eq!(read, [Ok(250), Ok(5_000), Ok(600_000), Ok(86_400_000), Ok(604_800_000), Ok(0)]);
    }

    #[test]
    fn what_is_no_span_is_refused() {
        for text in ["", "5", "s", "-5s", "1.5s", "5 weeks", "99999999999999999999s", "99999999999999999d"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse_positive("0s").is_err());
    }
}
