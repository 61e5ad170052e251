//! Cases of a list, of a bulk request or an import: one with a new id is made; one that is there gains what it has not ([`super::extend`]).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use cypher::{Params, statements};
use graph_schema::bulk::SingleCase;
use graph_schema::custom_property::PropertyEntity;
use graph_schema::id::CaseId;

use super::create::MakeCase;
use super::custom::{self, Definitions};
use super::extend::ExtendCase;
use crate::policy::Permit;
use crate::queue::{Along, Amending, Priority, WriteError};
use crate::{Error, Inner, Result};

/// What has to be known of cases before they are written.
#[derive(Default)]
pub(crate) struct KnownCases {
    /// Those that are there, with the text that has made them, where there was one.
    made: HashMap<CaseId, Option<Arc<str>>>,
    /// Of the custom properties that any of those has that are not there.
    definitions: Definitions,
}

impl KnownCases {
    /// Those have been told something since they were made: the text that made them says nothing any more of how they are.
    pub fn forget_texts_of(&mut self, told: &HashSet<CaseId>) {
        self.made.iter_mut().filter(|(id, _)| told.contains(*id)).for_each(|(_, text)| *text = None);
    }

    /// Whether a case was there when it was looked up.
    pub fn has(&self, id: &CaseId) -> bool {
        self.made.contains_key(id)
    }
}

impl Inner {
    /// Looks cases up, all at once. Of several of one id only the first can be written by that: the others have to see what it has made.
    pub(crate) async fn known_cases(&self, permit: &Permit<'_>, cases: &[&SingleCase]) -> Result<KnownCases> {
        if cases.is_empty() {
            return Ok(KnownCases::default());
        }
        let ids: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        let rows = self.read(permit, statements::bulk::CASES_MADE, Params::none().with("ids", ids)).await?;
        let made: HashMap<CaseId, _> = rows.into_iter().map(|row| (CaseId::new(row.id), row.record)).collect();
        let properties = cases.iter().filter(|case| !made.contains_key(&case.id)).map(|case| &case.update.custom_properties);
        let definitions = self.definitions(permit, custom::ids(PropertyEntity::Case, properties)).await?;
        Ok(KnownCases { made, definitions })
    }

    /// Makes a case, or changes the one that is there, unless the same `text` has made it.
    pub(crate) async fn write_listed_case(
        &self,
        permit: &Permit<'_>,
        case: SingleCase,
        text: &Arc<str>,
        known: &KnownCases,
        priority: Priority,
    ) -> Result<()> {
        match known.made.get(&case.id) {
            None => {
                let again = case.clone();
                let write = self.listed_case_write(permit, case, text, &known.definitions)?;
                let along = Along { priority, ..Along::default() };
                match self.queue.write_along(&Amending::<MakeCase>::NEW, write, along).await {
                    Err(refused @ WriteError::Refused(_)) => {
                        let known = self.known_cases(permit, &[&again]).await?;
                        // Somebody else has made it since it was looked up.
                        let Some(record) = known.made.get(&again.id) else { return Err(refused.into()) };
                        self.change_listed_case(permit, again, text, record.as_deref(), priority).await
                    }
                    made => made.map_err(Error::from),
                }
            }
            Some(record) => self.change_listed_case(permit, case, text, record.as_deref(), priority).await,
        }
    }

    /// Changes a case that `record` has made, unless that is the same `text`.
    async fn change_listed_case(
        &self,
        permit: &Permit<'_>,
        case: SingleCase,
        text: &Arc<str>,
        record: Option<&str>,
        priority: Priority,
    ) -> Result<()> {
        if record == Some(&**text) {
            return Ok(());
        }
        let along = Along { priority, ..Along::default() };
        let write = self.extension_write(permit, case, text);
        self.queue.write_along(&Amending::<ExtendCase>::NEW, write, along).await.map_err(Error::from)
    }
}
