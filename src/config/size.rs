//! Amounts of bytes as settings write them: `16KiB`, `33MiB`, or a plain number of bytes.

/// hyper can't hold less than this of a request's head.
const SMALLEST_HEAD: usize = 8 * 1024;

/// Reads an amount of bytes above zero.
pub fn parse(text: &str) -> Result<usize, String> {
    let problem = || format!("\"{text}\" must be a number of bytes, or one with KiB, MiB or GiB");
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor: usize = match unit.trim() {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return Err(problem()),
    };
    match number.parse::<usize>().ok().and_then(|number| number.checked_mul(factor)) {
        None | Some(0) => Err(problem()),
        Some(bytes) => Ok(bytes),
    }
}

/// The same where 0 says that there is to be nothing.
pub fn parse_or_none(text: &str) -> Result<usize, String> {
    if text == "0" { Ok(0) } else { parse(text) }
}

/// Reads the bound of a request's head.
pub fn parse_of_a_head(text: &str) -> Result<usize, String> {
    match parse(text)? {
        bytes if bytes < SMALLEST_HEAD => Err(format!("\"{text}\" must be at least 8KiB")),
        bytes => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        let read = ["4096", "16KiB", "33MiB", "1 GiB"].map(parse);
        assert_eq!(read, [Ok(4096), Ok(16_384), Ok(34_603_008), Ok(1_073_741_824)]);
        for text in ["", "0", "33 MB", "many", "-1"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse_of_a_head("1KiB").is_err());
        assert_eq!((parse_or_none("0"), parse_or_none("1KiB")), (Ok(0), Ok(1_024)));
        assert!(parse_or_none("none").is_err());
    }
}
