//! The rules by which actors are scored: those that the program comes with, or those of the institution's folder in their place.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use detection::{Fault, LoadError, Status};
use risk::{ActorType, Pack, RiskRule, lint};

/// The rules that the program comes with. That they have no fault is what their tests show.
static BUILT_IN: LazyLock<Arc<Pack>> = LazyLock::new(|| match Pack::built_in() {
    Ok(pack) => Arc::new(pack),
    Err(faults) => {
        tracing::error!(%faults, "the built-in risk rules can't be read: no actor is scored");
        Arc::default()
    }
});

/// Risk rules, free of faults. Cheap to clone.
#[derive(Debug, Clone)]
pub struct RiskRules(Arc<Pack>);

impl Default for RiskRules {
    fn default() -> Self {
        Self(Arc::clone(&BUILT_IN))
    }
}

impl RiskRules {
    /// Reads a folder as `risk/rules` is one, and runs the tests in it. The error has all faults, each with its file and place: what can't be read, tests that fail,
    /// weights that no test tells from others.
    pub fn load(folder: &Path) -> Result<Self, String> {
        let pack = Pack::load(folder).map_err(|error| match error {
            LoadError::Folder { path, source } => format!("{path} could not be read: {source}"),
            LoadError::Faults(faults) => in_one_line(&faults.0),
        })?;
        let faults: Vec<Fault> = lint(&pack).rules.into_iter().flat_map(|rule| rule.faults).collect();
        if faults.is_empty() { Ok(Self(Arc::new(pack))) } else { Err(in_one_line(&faults)) }
    }

    /// The live rule of a type of actor. Somebody of whom nobody says what it is goes by whichever there is.
    pub(crate) fn live(&self, kind: Option<ActorType>) -> Option<&RiskRule> {
        match kind {
            Some(kind) => self.0.live(kind),
            None => ActorType::ALL.into_iter().find_map(|kind| self.0.live(kind)),
        }
    }

    /// Rules in shadow: they are evaluated, and nothing that they say is kept.
    pub(crate) fn shadows(&self) -> impl Iterator<Item = &RiskRule> {
        self.0.rules().iter().map(|packed| &packed.rule).filter(|rule| rule.status == Status::Shadow)
    }

    /// The ids and versions of all that run: other ones may score otherwise.
    pub(crate) fn keys(&self) -> Vec<String> {
        self.0.rules().iter().filter(|packed| packed.rule.status != Status::Off).map(|packed| packed.rule.key()).collect()
    }
}

fn in_one_line(faults: &[Fault]) -> String {
    faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("; ")
}
