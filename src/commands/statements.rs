//! `amlgraph statements check DIR`: whether the statements of a folder would be taken, for those who write them.

use std::process::ExitCode;

use cypher::check_folder;

use super::print;
use crate::cli::Statements;

/// Prints a line for each statement that has no fault, and one for each fault of the others; the exit code says whether there were any.
pub fn run(command: Statements) -> anyhow::Result<ExitCode> {
    let Statements::Check { dir } = command;
    let mut code = ExitCode::SUCCESS;
    for file in check_folder(&dir)? {
        match file.outcome {
            Ok(_) => print(&format!("{}: OK", file.name)),
            Err(faults) => {
                code = ExitCode::FAILURE;
                faults.iter().for_each(|fault| print(&format!("{}: {fault}", file.name)));
            }
        }
    }
    Ok(code)
}
