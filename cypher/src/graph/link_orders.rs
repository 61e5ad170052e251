//! The orders of links that have one, or a few in common. Those that several lists have are in [`super::orders`].

use super::orders::{Sort, ascending, descending};

/// By the id of the other end: the order of links of which there is one to each.
pub(super) const BY_ID: &[Sort] = &[Sort { name: "ID", keys: &[ascending("{b}.id")] }];
/// By the id of the other end and what the link says, of which there may be several to each.
pub(super) const BY_ROLE: &[Sort] = &[Sort { name: "ID", keys: &[ascending("{b}.id"), ascending("{r}.role")] }];
pub(super) const BY_TYPE: &[Sort] = &[Sort { name: "ID", keys: &[ascending("{b}.id"), ascending("{r}.type")] }];
pub(super) const BY_KIND: &[Sort] = &[Sort { name: "KIND", keys: &[ascending("type({r})"), ascending("{b}.id")] }];
pub(super) const BY_IDENTITY: &[Sort] = &[Sort { name: "ID", keys: &[ascending("{b}.id"), ascending("type({r})"), ascending("{i}.id")] }];
/// Whom an observation is mainly about comes first.
pub(super) const BY_PRIMARY: &[Sort] =
    &[Sort { name: "PRIMARY", keys: &[descending("CASE WHEN {r}.primary THEN 1 ELSE 0 END"), ascending("{b}.id")] }];
pub(super) const BY_ACTION: &[Sort] = &[Sort { name: "ACTION", keys: &[ascending("{r}.action"), ascending("{b}.id")] }];
/// Who came last is first.
pub(super) const BY_MEMBERSHIP: &[Sort] = &[Sort { name: "SINCE", keys: &[descending("{r}.since"), ascending("{b}.id")] }];
/// Who is in several groups came when he came to the last of them.
pub(super) const BY_LAST_MEMBERSHIP: &[Sort] = &[Sort { name: "SINCE", keys: &[descending("since{d}"), ascending("{b}.id")] }];
/// What was decided last is first.
pub(super) const BY_DECISION: &[Sort] = &[Sort { name: "DECIDED_AT", keys: &[descending("{r}.at"), ascending("{b}.id")] }];
/// What was made last is first.
pub(super) const BY_CREATION: &[Sort] = &[Sort { name: "CREATED_AT", keys: &[descending("{b}.createdAt").integer(), ascending("{b}.id")] }];
/// As their workflow has them.
pub(super) const BY_POSITION: &[Sort] = &[Sort { name: "POSITION", keys: &[ascending("{b}.position"), ascending("{b}.id")] }];
/// What was screened last is first.
pub(super) const BY_SCREENING: &[Sort] = &[Sort { name: "SCREENED_AT", keys: &[descending("{b}.screenedAt"), ascending("{b}.id")] }];
/// As [`crate::statements::risk`] has them: by the date that they are as of, then by when they came.
pub(super) const BY_SCORE_DATE: &[Sort] =
    &[Sort { name: "AS_OF_DATE", keys: &[descending("{b}.asOfDate"), descending("{b}.ingestedAt"), descending("{b}.id")] }];
pub(super) const BY_DATE: &[Sort] = &[Sort { name: "AS_OF_DATE", keys: &[descending("{b}.asOfDate"), descending("{b}.id")] }];
/// The first one counts.
pub(super) const BY_EXCLUSION: &[Sort] =
    &[Sort { name: "STORED_AT", keys: &[descending("{b}.storedAt"), descending("coalesce({b}.recordedAt, 0)"), descending("{b}.id")] }];
/// What was replaced last is first. Times of the versions of a payment differ. Older programs gave one to those of a millisecond: of two, one had come in
/// it; of more the order of acknowledgement tells, where bulk requests have brought them, and else the id.
pub(super) const BY_REPLACEMENT: &[Sort] = &[Sort {
    name: "KNOWN_UNTIL",
    keys: &[descending("{b}.knownUntil"), descending("coalesce({b}.knownFrom, 0)"), descending("coalesce({b}.logicalTime, 0)"), descending("{b}.id")],
}];
pub(super) const LATEST_FIRST: &[Sort] = &[Sort { name: "AS_OF_DATE", keys: &[descending("{b}.asOfDate")] }];
