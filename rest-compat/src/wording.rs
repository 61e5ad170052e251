//! How REST puts what an operation could not do, each sentence beginning with where. What GraphQL says in the same words is in [`resolvers::wording`].

use resolvers::ObjectKind;

pub(crate) fn not_found(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::Actor => "id: there is no actor with this id",
        ObjectKind::ExtendedInformation => "id: there is no extended information of an actor with this id",
        ObjectKind::Transaction => "id: there is no transaction with this id",
        ObjectKind::Observation => "id: there is no observation with this id",
        ObjectKind::AccountRole => "the actor has no role on this account: the relation does not exist",
        ObjectKind::Case => "id: there is no case with this id",
        ObjectKind::CaseActor => "actor_id: the case has no such actor",
        ObjectKind::File => "id: there is no file with this id",
        ObjectKind::User => "id: there is no user with this id",
        ObjectKind::SegmentationCategory => "id: there is no segmentation category with this id",
        ObjectKind::SegmentationGroup => "id: there is no segmentation group with this id",
        ObjectKind::SegmentationOwner => "actorId: the actor is no owner of this group",
        ObjectKind::SegmentationActor => "actorId: there is no actor with this id",
        ObjectKind::RequestForData => "id: there is no request for data with this id",
        ObjectKind::RequestForDataSchema => "type: there is no schema of this type",
        ObjectKind::ApiKey => "id: there is no such key, or it was revoked before",
        ObjectKind::BulkCase => "id: no case with this id has come in bulk within the last 30 days",
        ObjectKind::Webhook => "id: there is no webhook with this id",
        ObjectKind::Delivery => "id: there is no delivery with this id",
        ObjectKind::Job => "id: there is no job with this id",
        ObjectKind::Snooze => "id: there is no snooze with this id",
        ObjectKind::ClearedMatch => "id: there is no cleared match with this id",
        ObjectKind::Watchlist => "id: there is no watchlist with this id",
        ObjectKind::WatchlistUpload => "id: there is no upload with this id",
        ObjectKind::Client => "id: there is no such client, or it was revoked before",
    }
}

/// The service can't be used now.
pub(crate) const UNAVAILABLE: &str = "the service can't do this now; try again later";

/// It took too long, and is over.
pub(crate) const TOO_LONG: &str = "this took longer than it may and was not done; ask for less, or try again later";
