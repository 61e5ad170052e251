//! Cases of a list, of a bulk request or an import: one with a new id is made; one that is there gains what it has not ([`super::extend`]).

use std::collections::HashMap;
use std::sync::Arc;

use cypher::{Params, statements};
use graph_schema::bulk::SingleCase;
use graph_schema::custom_property::PropertyEntity;
use graph_schema::id::CaseId;

use super::create::MakeCase;
use super::custom::{self, Definitions};
use super::extend::{ExtendCase, Repeats};
use crate::policy::Permit;
use crate::queue::{Along, Amending, Priority, WriteError};
use crate::{Error, Inner, Result};

/// What has to be known of cases before they are written.
#[derive(Default)]
pub(crate) struct KnownCases {
    /// Those that are there, with the item that has made them, where one has.
    there: HashMap<CaseId, Option<Arc<str>>>,
    /// Of the custom properties that any has that is not there.
    definitions: Definitions,
}

impl KnownCases {
    /// Whether a case was there when it was looked up.
    pub fn has(&self, id: &CaseId) -> bool {
        self.there.contains_key(id)
    }
}

impl Inner {
    /// Looks cases up, all at once. Of several of one id only the first can be written by that: the others have to see what it has made.
    pub(crate) async fn known_cases(&self, permit: &Permit<'_>, cases: &[&SingleCase]) -> Result<KnownCases> {
        if cases.is_empty() {
            return Ok(KnownCases::default());
        }
        let ids: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        let rows = self.read(permit, statements::bulk::CASES_THERE, Params::none().with("ids", ids)).await?;
        let there: HashMap<CaseId, _> = rows.into_iter().map(|row| (CaseId::new(row.id), row.record)).collect();
        let properties = cases.iter().filter(|case| !there.contains_key(&case.id)).map(|case| &case.update.custom_properties);
        let definitions = self.definitions(permit, custom::ids(PropertyEntity::Case, properties)).await?;
        Ok(KnownCases { there, definitions })
    }

    /// Makes a case, or changes the one that is there: also where the same `text` has made it, which counts as what was said last.
    pub(crate) async fn write_listed_case(
        &self,
        permit: &Permit<'_>,
        case: SingleCase,
        text: &Arc<str>,
        known: &KnownCases,
        priority: Priority,
    ) -> Result<()> {
        if let Some(record) = known.there.get(&case.id) {
            return self.change_listed_case(permit, case, text, record.as_deref(), priority).await;
        }
        let again = case.clone();
        let write = self.listed_case_write(permit, case, text, &known.definitions)?;
        match self.queue.write_along(&Amending::<MakeCase>::NEW, write, Along { priority, ..Along::default() }).await {
            Err(refused @ WriteError::Refused(_)) => {
                // Somebody else may have made it since it was looked up.
                let known = self.known_cases(permit, &[&again]).await?;
                let Some(record) = known.there.get(&again.id) else { return Err(refused.into()) };
                self.change_listed_case(permit, again, text, record.as_deref(), priority).await
            }
            made => made.map_err(Error::from),
        }
    }

    /// Changes a case that `record` has made.
    async fn change_listed_case(
        &self,
        permit: &Permit<'_>,
        case: SingleCase,
        text: &Arc<str>,
        record: Option<&str>,
        priority: Priority,
    ) -> Result<()> {
        let repeats = if record == Some(&**text) { Repeats::WhatMadeIt } else { Repeats::Nothing };
        let write = self.extension_write(permit, case, text, repeats);
        self.queue.write_along(&Amending::<ExtendCase>::NEW, write, Along { priority, ..Along::default() }).await.map_err(Error::from)
    }
}
