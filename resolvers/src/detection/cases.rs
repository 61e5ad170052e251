//! Findings of a run are gathered into cases, where the settings say so.
//!
//! It comes behind the recording of all findings, and goes by what is stored then: what somebody has handled is left out, and what is in a case is so, too.
//! So it may be broken off anywhere and done again. The id of a case follows from its first finding.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::str::FromStr;
use std::time::Duration;

use cypher::statements::rows::{OpenCase, StandingFinding};
use cypher::{Params, Reading, statements};
use futures::future::try_join_all;
use graph_schema::case::GatheredBy;
use graph_schema::enum_name::EnumName;
use graph_schema::id::{ActorId, CaseId, ObservationId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::job::Detect;
use crate::case::Gathered;
use crate::derived_id::digest_uuid;
use crate::policy::{Action, CredentialType, Identified, Role, Subject};
use crate::{Caller, Inner, Result, Roles};

/// Findings or actors that are asked about at once.
const ASKED_AT_ONCE: usize = 200;
/// Cases that are written beside each other.
const WRITTEN_AT_ONCE: usize = 50;
/// What such a question may take.
const LIMIT: Duration = Duration::from_secs(20);

/// What becomes of the findings of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CasesBy {
    /// They wait in the queue for somebody who raises cases from them.
    #[default]
    Nobody,
    /// Those about one actor are one case.
    Actor,
    /// Those that share a focal actor or a payment, directly or through others, are one case.
    Ring,
}

impl FromStr for CasesBy {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "none" => Ok(Self::Nobody),
            "actor" => Ok(Self::Actor),
            "ring" => Ok(Self::Ring),
            _ => Err("must be none, actor or ring".to_owned()),
        }
    }
}

/// Who has asked for a run: what it makes in his name is written so.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Author {
    id: String,
    name: String,
    roles: String,
    means: String,
}

impl Author {
    pub fn of(caller: &Caller) -> Self {
        Self { id: caller.id.clone(), name: caller.name.clone(), roles: caller.roles.to_string(), means: caller.means.as_str().to_owned() }
    }

    /// As a caller again, in no request.
    fn caller(&self) -> Caller {
        let roles = self.roles.parse().unwrap_or_else(|_| Roles::from(Role::Ingest));
        let means = CredentialType::named(&self.means).unwrap_or(CredentialType::System);
        let (id, name) = (self.id.clone(), self.name.clone());
        Caller::new(Identified { id, name, roles, means, expires_at: None, follows_groups: false, user: None }, None, "none".into())
    }
}

/// How findings are gathered into cases.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GatheredFindings<'a> {
    /// The run that gathers them, as the cases name it.
    pub run: &'a str,
    pub by: CasesBy,
    /// The least score.
    pub least: f64,
}

/// What a run has made of its findings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct GatheredCases {
    /// Cases that were made.
    made: usize,
    /// Open cases to which findings were added.
    extended: usize,
}

impl Inner {
    /// Makes cases of the findings of a run that nobody has handled, or adds them to the open ones in which such findings were gathered before.
    pub(super) async fn gather_cases(&self, run: &Detect, found: &BTreeSet<String>) -> Result<GatheredCases> {
        let settings = self.settings.detection;
        let author = run.author.as_ref().map_or_else(|| Caller::system("service", Role::Admin, "none".into()), Author::caller);
        self.gather_findings(&author, GatheredFindings { run: &run.run, by: settings.cases, least: settings.case_score }, found).await
    }

    /// The same of any findings.
    pub(crate) async fn gather_findings(&self, author: &Caller, wanted: GatheredFindings<'_>, found: &BTreeSet<String>) -> Result<GatheredCases> {
        let by = match wanted.by {
            CasesBy::Nobody => return Ok(GatheredCases::default()),
            CasesBy::Actor => GatheredBy::Actor,
            CasesBy::Ring => GatheredBy::Ring,
        };
        let findings: Vec<StandingFinding> = self.in_parts(statements::detection::STANDING, found.iter().map(String::as_str)).await?;
        let findings = findings.into_iter().filter(|finding| is_to_be_gathered(finding, wanted.least)).collect();
        let groups = groups(by, findings);
        let open = self.open_cases(&groups).await?;
        let mut gathered = GatheredCases::default();
        for some in groups.chunks(WRITTEN_AT_ONCE) {
            let written = try_join_all(some.iter().map(|group| self.gather(author, (by, wanted.run), group, &open))).await?;
            gathered.made += written.iter().filter(|outcome| **outcome == Outcome::Made).count();
            gathered.extended += written.iter().filter(|outcome| **outcome == Outcome::Extended).count();
        }
        Ok(gathered)
    }

    async fn gather(&self, author: &Caller, (by, run): (GatheredBy, &str), group: &Group, open: &HashMap<String, Vec<OpenCase>>) -> Result<Outcome> {
        let findings = group.findings.iter().map(|finding| ObservationId::new(finding.id.as_str())).collect();
        let gathered = Gathered { by, run: run.to_owned(), findings, actors: group.actors() };
        let case = group.focus.iter().filter_map(|actor| open.get(actor)).flatten().min_by_key(|case| (case.created_at, &case.id));
        if let Some(case) = case {
            let permit = self.enter(author, Action::RecordCase, Subject::One("Case", &case.id))?;
            self.add_to_gathered_case(&permit, &CaseId::new(case.id.as_str()), &gathered).await?;
            return Ok(Outcome::Extended);
        }
        let id = group.case_id(by);
        let permit = self.enter(author, Action::RecordCase, Subject::One("Case", id.as_str()))?;
        self.make_gathered_case(&permit, id.clone(), &gathered).await?;
        Ok(Outcome::Made)
    }

    /// Open cases in which detection gathers findings, by the actors that they focus on.
    async fn open_cases(&self, groups: &[Group]) -> Result<HashMap<String, Vec<OpenCase>>> {
        let focus: BTreeSet<&str> = groups.iter().flat_map(|group| &group.focus).map(String::as_str).collect();
        let rows = self.in_parts(statements::detection::OPEN_CASES, focus.into_iter()).await?;
        Ok(rows.into_iter().map(|row| (row.id, row.cases)).collect())
    }

    async fn in_parts<R: DeserializeOwned>(&self, reading: Reading<R>, ids: impl Iterator<Item = &str>) -> Result<Vec<R>> {
        let ids: Vec<&str> = ids.collect();
        let mut rows = Vec::with_capacity(ids.len());
        for some in ids.chunks(ASKED_AT_ONCE) {
            rows.extend(self.engine.read_as(reading, Params::none().with("ids", some.to_vec()), LIMIT).await?);
        }
        Ok(rows)
    }
}

/// What became of a group of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Made,
    Extended,
}

/// Whether nobody has handled it, and its score is high enough. What is below the line is looked at apart.
pub fn is_to_be_gathered(finding: &StandingFinding, least: f64) -> bool {
    !finding.handled && !finding.below_the_line && finding.score.unwrap_or_default() >= least
}

/// Findings that are one case.
pub struct Group {
    /// The first one first: by time, then by id.
    pub findings: Vec<StandingFinding>,
    /// Where a case on one of these actors is open, they belong there.
    pub focus: Vec<String>,
}

impl Group {
    pub fn of(by: GatheredBy, mut findings: Vec<StandingFinding>) -> Self {
        findings.sort_by(|one, other| (one.observed_at, &one.id).cmp(&(other.observed_at, &other.id)));
        let focal: BTreeSet<&str> = findings.iter().flat_map(focal).collect();
        let most = if by == GatheredBy::Actor { 1 } else { usize::MAX };
        let focus = focal.into_iter().take(most).map(str::to_owned).collect();
        Self { findings, focus }
    }

    /// Whom it is about, and whether mainly.
    fn actors(&self) -> BTreeMap<ActorId, bool> {
        let mut actors = BTreeMap::new();
        for actor in self.findings.iter().flat_map(|finding| &finding.actors) {
            *actors.entry(ActorId::new(actor.id.as_str())).or_default() |= actor.primary;
        }
        actors
    }

    /// The id of the case that is made of it: whichever run comes to it, it is the same.
    pub fn case_id(&self, by: GatheredBy) -> CaseId {
        let first = self.findings.first().map_or("", |finding| finding.id.as_str());
        CaseId::new(digest_uuid("case-of-findings", &[by.text(), first]))
    }
}

/// The actors that a finding is mainly about.
fn focal(finding: &StandingFinding) -> impl Iterator<Item = &str> {
    finding.actors.iter().filter(|actor| actor.primary).map(|actor| actor.id.as_str())
}

/// Findings by the case that they are. One that is about nobody in particular is in none.
pub fn groups(by: GatheredBy, findings: Vec<StandingFinding>) -> Vec<Group> {
    let findings: Vec<StandingFinding> = findings.into_iter().filter(|finding| focal(finding).next().is_some()).collect();
    let keys: Vec<String> = match by {
        // One that is about several, the owners of a group, is filed under the first of them.
        GatheredBy::Actor => findings.iter().map(|finding| focal(finding).min().unwrap_or_default().to_owned()).collect(),
        GatheredBy::Ring => rings(&findings).into_iter().map(|first| first.to_string()).collect(),
    };
    let mut grouped: BTreeMap<String, Vec<StandingFinding>> = BTreeMap::new();
    for (key, finding) in keys.into_iter().zip(findings) {
        grouped.entry(key).or_default().push(finding);
    }
    grouped.into_values().map(|findings| Group::of(by, findings)).collect()
}

/// For each finding the first one with which it hangs together through focal actors and payments.
fn rings(findings: &[StandingFinding]) -> Vec<usize> {
    analytics::firsts(findings.iter().map(|finding| {
        let payments = finding.transaction_ids.iter().flatten().map(|id| (false, id.as_str()));
        focal(finding).map(|id| (true, id)).chain(payments)
    }))
}
