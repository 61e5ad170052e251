use graph_schema::id::WebhookId;
use graph_schema::webhook::{Subscription, UpdateWebhook, WebhookName, WebhookRecord, WebhookStatus, WebhookUrl};
use resolvers::testing::webhook::registry::{Resting, Wanted, resting, room_beside};
use resolvers::testing::webhook::{MOST, TENANT};

fn webhook(status: WebhookStatus, events: &[&str]) -> WebhookRecord {
    WebhookRecord {
        id: WebhookId::new("w"),
        name: "Desk".to_owned(),
        url: "https://a.example".to_owned(),
        events: events.iter().map(|name| (*name).to_owned()).collect(),
        status,
        secret: None,
        created: 1,
        tenant: TENANT.to_owned(),
    }
}

/// The document's table of transitions, and what it leaves open.
#[test]
fn what_becomes_of_the_status() {
    use WebhookStatus::{Active, Inactive};
    let told = |events: &[&str]| Some(events.iter().map(|name| Subscription((*name).to_owned())).collect::<Vec<_>>());
    let update = |events, status| Wanted::Update(UpdateWebhook { events, status, ..UpdateWebhook::default() });
    let one: &[&str] = &["case.created"];
    for (before, wanted, after) in [
        ((Active, one), Wanted::Toggle, Some(Inactive)),
        ((Inactive, one), Wanted::Toggle, Some(Active)),
        ((Inactive, &[][..]), Wanted::Toggle, None),
        ((Active, one), update(None, None), Some(Active)),
        ((Inactive, one), update(None, None), Some(Inactive)),
        ((Active, one), update(None, Some(Inactive)), Some(Inactive)),
        ((Inactive, one), update(None, Some(Active)), Some(Active)),
        ((Active, one), update(told(&[]), None), Some(Inactive)),
        ((Active, one), update(told(&[]), Some(Inactive)), Some(Inactive)),
        ((Active, one), update(told(&[]), Some(Active)), None),
        ((Inactive, &[][..]), update(None, Some(Active)), None),
        ((Inactive, &[][..]), update(told(&["*"]), None), Some(Inactive)),
        ((Inactive, &[][..]), update(told(&["*"]), Some(Active)), Some(Active)),
    ] {
        let stored = webhook(before.0, before.1);
        assert_eq!(wanted.after(&stored).ok().map(|after| after.status), after, "{before:?}");
    }
}

#[test]
fn what_is_not_said_stays_and_a_name_counts_once() {
    let before = webhook(WebhookStatus::Active, &["case.created"]);
    assert_eq!(Wanted::Update(UpdateWebhook::default()).after(&before).unwrap(), before);
    let events = ["case.closed", "*", "case.closed"].map(|name| Subscription(name.to_owned())).to_vec();
    let all = UpdateWebhook {
        name: Some(WebhookName("Other".to_owned())),
        url: Some(WebhookUrl("https://b.example".to_owned())),
        events: Some(events),
        status: None,
    };
    let after = Wanted::Update(all).after(&before).unwrap();
    assert_eq!((after.name.as_str(), after.url.as_str()), ("Other", "https://b.example"));
    assert_eq!(after.events, ["case.closed", "*"]);
    assert_eq!(resting(&before, &after), Resting::Woken, "what waits goes to the new address");
}

#[test]
fn there_are_not_more_than_there_may_be() {
    assert!(room_beside(MOST - 1).is_ok());
    assert!(room_beside(MOST).is_err() && room_beside(MOST + 1).is_err());
}
