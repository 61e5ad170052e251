//! Doors that are shut: one test for each. What each of them is in plain words is in `docs/operating.md`, "Doors".

mod administrators;
mod browsers;
mod command_line;
mod guesses;
mod held;
mod logs;
mod places;
mod private_files;
mod schemas;
mod secrets;

use crate::support::Test;

pub fn tests() -> Vec<Test> {
    let areas = [
        administrators::tests(),
        browsers::tests(),
        command_line::tests(),
        guesses::tests(),
        held::tests(),
        logs::tests(),
        places::tests(),
        private_files::tests(),
        schemas::tests(),
        secrets::tests(),
    ];
    areas.into_iter().flatten().collect()
}
