//! Whether the evidence of findings is what it is said to be.

use detection::{Day, Elements, Evidence, Rule, Settings};

/// How much was checked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Checked {
    pub findings: usize,
    /// Searches over the elements of a finding, or over all of them but one.
    pub replays: usize,
}

/// Finds with the defaults of a rule on a day, and replays each finding: its necessary payments alone make the same rule fire again, about the
/// same actor, with the history that the finding tells; without any one of them they don't. The error names what is not so.
pub fn check(elements: &Elements<'_>, rule: &Rule, day: Day) -> Result<Checked, String> {
    let settings = Settings::of(rule);
    let mut checked = Checked::default();
    for finding in rule.detect(elements.dataset(), day, &settings) {
        let necessary = finding.evidence(Evidence::Necessary).count();
        let replay = elements.replay(rule, day, &settings, &finding).map_err(|error| format!("{error}: {}", finding.text))?;
        if necessary == 0 {
            return Err(format!("no payment is necessary: {}", finding.text));
        }
        if !replay.fires {
            return Err(format!("the necessary payments alone do not suffice: {}", finding.text));
        }
        if let Some(spared) = replay.not_needed.first() {
            return Err(format!("{spared} is necessary, and can be spared: {}", finding.text));
        }
        checked.findings += 1;
        checked.replays += 1 + necessary;
    }
    Ok(checked)
}
