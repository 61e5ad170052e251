//! `docs/detection.md` has a row for each kernel, with what its search takes, what it measures, and the window of the rule that comes with it.

use detection::{Kernel, Pack};

const PAGE: &str = include_str!("../../docs/detection.md");

/// The texts between backticks.
fn words(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_page_has_a_row_for_each_kernel() {
    let pack = Pack::built_in().unwrap_or_else(|faults| panic!("{faults}"));
    for kernel in Kernel::ALL {
        let begin = format!("| [`{}`](../detection/src/kernels/", kernel.name());
        let rows: Vec<&str> = PAGE.lines().filter(|line| line.starts_with(&begin)).collect();
        let [row] = rows.as_slice() else { panic!("{begin}…: {} rows", rows.len()) };
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [_, _, window, passes, measures] = cells.as_slice() else { panic!("{row}") };
        let names = |named: detection::Named| named.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        assert_eq!((words(passes), words(measures)), (names(kernel.passes()), names(kernel.measures())), "{row}");
        let rule = &pack.rule(kernel.name()).unwrap_or_else(|| panic!("no rule {}", kernel.name())).rule;
        let length = kernel.passes().iter().find(|(name, _)| ["window", "within"].contains(name)).map(|(name, _)| rule.parameters[*name].default);
        let length = length.unwrap_or_else(|| panic!("{row}"));
        assert!(window.starts_with(&format!("{length} h")), "{row}: {length}");
    }
}
