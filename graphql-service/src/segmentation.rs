//! Filters of segmentation: which members of a group, and the words by which things are found.

use async_graphql::{Error, InputObject, Result};
use graph_schema::actor::ActorType;
use graph_schema::date::Timestamp;
use resolvers::explore::MemberFilter;

/// The most characters of a text that is searched for.
const LONGEST_TEXT: usize = 256;
/// The most words of it.
const MOST_WORDS: usize = 10;
/// The most values of a list, one of which something must be.
const MOST_VALUES: usize = 100;
/// No country or band is longer, in bytes.
const LONGEST_VALUE: usize = 64;

/// Which members of a segmentation group. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "SegmentationMemberFilter")]
pub struct MemberFilterInput {
    /// Words, all of which the name has, in capital or small letters: 10 words and 256 characters at most.
    text: Option<String>,
    /// Known actors of one of these types.
    types: Option<Vec<ActorType>>,
    /// Domiciled in one of these countries, by alpha-2 codes.
    domiciles: Option<Vec<String>>,
    /// In one of these risk bands: `low_risk`, `medium_risk`, `high_risk`.
    risk_bands: Option<Vec<String>>,
    /// Added at this time or later.
    added_from: Option<Timestamp>,
    /// Added before this time.
    added_to: Option<Timestamp>,
}

impl MemberFilterInput {
    /// The filter of the link. Refused, by the name of its member: a list that is empty or too long, a text that is too long, and a span of time in which there is
    /// no moment. Whether there is such a country or band is not asked: one that nobody has finds nobody.
    pub fn into_filter(self) -> Result<MemberFilter> {
        let Self { text, types: actor_types, domiciles, risk_bands: bands, added_from, added_to } = self;
        short_list("types", actor_types.as_ref().map(Vec::len))?;
        for (name, values) in [("domiciles", &domiciles), ("riskBands", &bands)] {
            short_list(name, values.as_ref().map(Vec::len))?;
            if values.iter().flatten().any(|value| value.len() > LONGEST_VALUE) {
                return Err(Error::new(format!("filter.{name}: must be of at most {LONGEST_VALUE} bytes each")));
            }
        }
        if added_from.zip(added_to).is_some_and(|(from, to)| from >= to) {
            return Err(Error::new("filter.addedTo: must be later than addedFrom"));
        }
        Ok(MemberFilter { named: words(text)?, actor_types, domiciles, bands, added_from, added_to, ..MemberFilter::default() })
    }
}

fn short_list(name: &str, length: Option<usize>) -> Result<()> {
    match length {
        Some(0) => Err(Error::new(format!("filter.{name}: must name at least one; leave it out for all"))),
        Some(length) if length > MOST_VALUES => Err(Error::new(format!("filter.{name}: must name at most {MOST_VALUES}"))),
        _ => Ok(()),
    }
}

/// The words of the member `text` of a filter, in small letters. A blank text asks for nothing.
pub fn words(text: Option<String>) -> Result<Option<Vec<String>>> {
    let Some(text) = text else { return Ok(None) };
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    if text.chars().count() > LONGEST_TEXT {
        return Err(Error::new(format!("filter.text: must be of at most {LONGEST_TEXT} characters")));
    }
    if words.len() > MOST_WORDS {
        return Err(Error::new(format!("filter.text: must have at most {MOST_WORDS} words")));
    }
    Ok((!words.is_empty()).then_some(words))
}
