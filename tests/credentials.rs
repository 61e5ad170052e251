pub fn tests() -> Vec<crate::support::Test> { Vec::new() }
