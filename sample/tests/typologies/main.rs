//! The generated networks are as asked, reproducible, and true to what they say of themselves.

mod innocent;
mod relations;
mod shapes;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use chrono::NaiveDate;
use sample::typologies::{ActorKind, Currency, FEWEST_DAYS, Innocent, Network, Payment, PaymentId, Settings, SettingsFault, Typology, generate};

/// The full network; half of the tests read it.
static NETWORK: LazyLock<Network> = LazyLock::new(|| generate(&Settings::with_seed(7)).unwrap());

/// A network that is made in a moment.
fn small(seed: u64) -> Settings {
    Settings { accounts: 1_000, payments: 40_000, cases: 4, ..Settings::with_seed(seed) }
}

fn payment(network: &Network, id: PaymentId) -> &Payment {
    &network.payments[id.0 as usize]
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let (one, other) = (generate(&small(3)).unwrap(), generate(&small(3)).unwrap());
    assert_eq!(one.to_csv(), other.to_csv());
    assert_eq!(one.truth_csv(), other.truth_csv());
    assert_eq!(one, other);
}

#[test]
fn another_seed_gives_another_network() {
    let (one, other) = (generate(&small(3)).unwrap(), generate(&small(4)).unwrap());
    assert_ne!(one.to_csv(), other.to_csv());
    assert_ne!(one.truth_csv(), other.truth_csv());
}

#[test]
fn there_are_as_many_accounts_payments_and_cases_as_asked() {
    for (settings, network) in [(Settings::with_seed(7), &*NETWORK), (small(11), &generate(&small(11)).unwrap())] {
        assert_eq!(network.accounts.len(), settings.accounts);
        assert_eq!(network.payments.len(), settings.payments);
        for typology in Typology::ALL {
            let cases = network.planted.iter().filter(|planted| planted.typology == typology).count();
            assert_eq!(cases, settings.cases, "{}", typology.name());
        }
    }
}

#[test]
fn settings_that_cannot_be_met_are_refused() {
    let settings = small(1);
    assert_eq!(generate(&Settings { days: 20, ..settings.clone() }), Err(SettingsFault::Days(20)));
    assert_eq!(generate(&Settings { days: u32::MAX, ..settings.clone() }), Err(SettingsFault::Days(u32::MAX)));
    assert_eq!(generate(&Settings { accounts: 10, ..settings.clone() }), Err(SettingsFault::Accounts(10)));
    assert_eq!(generate(&Settings { cases: 500, ..settings.clone() }), Err(SettingsFault::Cases(500)));
    assert!(matches!(generate(&Settings { payments: 5, ..settings.clone() }), Err(SettingsFault::Payments { fewest }) if fewest > 5));
}

#[test]
fn ids_are_places_and_payments_stand_in_the_order_of_time() {
    assert!(NETWORK.actors.iter().zip(0..).all(|(actor, place)| actor.id.0 == place));
    assert!(NETWORK.accounts.iter().zip(0..).all(|(account, place)| account.id.0 == place));
    assert!(NETWORK.payments.iter().zip(0..).all(|(payment, place)| payment.id.0 == place));
    assert!(NETWORK.payments.is_sorted_by_key(|payment| payment.at));
}

#[test]
fn payments_are_possible() {
    let settings = Settings::with_seed(7);
    let midnight = |date: NaiveDate| date.and_hms_opt(0, 0, 0).unwrap().and_utc().timestamp_millis();
    let begin = midnight(settings.start);
    let end = begin + i64::from(settings.days) * 86_400_000;
    for payment in &NETWORK.payments {
        assert!((begin..end).contains(&payment.at), "{payment:?}");
        assert!(payment.amount.0 > 0, "{payment:?}");
        assert_ne!(payment.from, payment.to);
        for account in [payment.from, payment.to] {
            assert!(payment.at >= midnight(NETWORK.accounts[account.0 as usize].opened), "{payment:?} is before the account was opened");
        }
    }
}

#[test]
fn an_actor_is_a_customer_no_later_than_the_first_account() {
    for account in &NETWORK.accounts {
        if let Some(owner) = account.owner {
            assert!(NETWORK.actors[owner.0 as usize].since <= account.opened);
        }
    }
}

#[test]
fn the_population_is_that_of_a_bank() {
    let individuals = NETWORK.actors.iter().filter(|actor| actor.kind == ActorKind::Individual).count();
    assert!(individuals * 10 > NETWORK.actors.len() * 7 && individuals < NETWORK.actors.len());
    let euro = NETWORK.payments.iter().filter(|payment| payment.currency == Currency::Eur).count();
    assert!(euro * 100 > NETWORK.payments.len() * 95 && euro < NETWORK.payments.len());
    // Activity is skewed: the busiest percent of accounts takes part in a third of all payments, the median account in few.
    let mut activity = vec![0_usize; NETWORK.accounts.len()];
    for payment in &NETWORK.payments {
        activity[payment.from.0 as usize] += 1;
        activity[payment.to.0 as usize] += 1;
    }
    activity.sort_unstable_by(|one, other| other.cmp(one));
    let busiest: usize = activity[..activity.len() / 100].iter().sum();
    assert!(busiest * 3 > NETWORK.payments.len(), "{busiest}");
    assert!((15..80).contains(&activity[activity.len() / 2]), "{}", activity[activity.len() / 2]);
    // Planted payments are few.
    let planted: usize = NETWORK.planted.iter().map(|planted| planted.payments.len()).sum();
    assert!(planted * 50 < NETWORK.payments.len(), "{planted}");
}

#[test]
fn each_case_has_the_shape_that_its_typology_claims() {
    let index = shapes::Index::new(&NETWORK);
    for (case, planted) in NETWORK.planted.iter().enumerate() {
        if let Err(fault) = index.check(planted) {
            panic!("case {case}, {}: {fault}", planted.typology.name());
        }
    }
}

#[test]
fn shapes_hold_whatever_the_seed_the_days_and_the_number_of_cases() {
    let crowded = |seed| Settings { cases: 10, ..small(seed) };
    let long = Settings { days: 400, payments: 80_000, ..small(40) };
    let short = Settings { days: FEWEST_DAYS, ..small(41) };
    let full = Settings { cases: 50, ..Settings::with_seed(42) };
    for settings in (20..26).map(crowded).chain([long, short, full]) {
        let network = generate(&settings).unwrap();
        let index = shapes::Index::new(&network);
        for planted in &network.planted {
            if let Err(fault) = index.check(planted) {
                panic!("{settings:?}, {}: {fault}", planted.typology.name());
            }
        }
    }
}

#[test]
fn the_days_of_a_case_are_those_of_its_first_and_last_payment() {
    for planted in &NETWORK.planted {
        let day = |id: PaymentId| chrono::DateTime::from_timestamp_millis(payment(&NETWORK, id).at).unwrap().date_naive();
        assert_eq!(planted.first_day, day(planted.payments[0]));
        assert_eq!(planted.last_day, day(planted.payments[planted.payments.len() - 1]));
    }
}

#[test]
fn a_payment_is_planted_once_and_no_look_alike_is_planted() {
    let mut planted = BTreeSet::new();
    for case in &NETWORK.planted {
        for &payment in &case.payments {
            assert!(planted.insert(payment), "{payment} is in two cases");
        }
    }
    for look_alike in &NETWORK.look_alikes {
        assert!(look_alike.payments.iter().all(|payment| !planted.contains(payment)), "{:?}", look_alike.kind);
    }
}

#[test]
fn subjects_are_old_and_new_customers_and_in_one_case_each() {
    let mut cases: BTreeMap<_, usize> = BTreeMap::new();
    let conduct = |typology| !matches!(typology, Typology::RoundTrip | Typology::StackedLayers);
    for planted in NETWORK.planted.iter().filter(|planted| conduct(planted.typology)) {
        planted.focal.iter().for_each(|&actor| *cases.entry(actor).or_default() += 1);
    }
    assert!(cases.values().all(|&cases| cases == 1));
    cases.retain(|actor, _| NETWORK.planted.iter().any(|planted| planted.typology.is_of_payments() && planted.focal.contains(actor)));
    let new = cases.keys().filter(|actor| NETWORK.actors[actor.0 as usize].since >= Settings::with_seed(7).start).count();
    assert!(new * 5 > cases.len() && new * 2 < cases.len(), "{new} of {} are new", cases.len());
}

#[test]
fn each_kind_of_look_alike_is_there_and_says_why_it_is_innocent() {
    for kind in Innocent::ALL {
        let number = NETWORK.look_alikes.iter().filter(|look_alike| look_alike.kind == kind && !look_alike.payments.is_empty()).count();
        assert!(number >= 1, "{kind:?}");
        assert!(kind.reason().ends_with('.'));
    }
    for typology in Typology::ALL {
        assert!(Innocent::ALL.iter().any(|kind| kind.resembles() == typology), "{}", typology.name());
    }
}

#[test]
fn csv_has_a_line_for_each_payment_and_each_planted_payment() {
    let csv = NETWORK.to_csv();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("id,from,to,at,amount,currency"));
    assert_eq!(csv.lines().count(), NETWORK.payments.len() + 1);
    for (line, payment) in lines.zip(&NETWORK.payments) {
        let fields: Vec<&str> = line.split(',').collect();
        let [id, from, to, at, amount, currency] = fields[..] else { panic!("{line}") };
        assert_eq!((id, from, to), (&*payment.id.to_string(), &*payment.from.to_string(), &*payment.to.to_string()));
        assert_eq!(chrono::DateTime::parse_from_rfc3339(at).unwrap().timestamp_millis(), payment.at);
        let (whole, cents) = amount.split_once('.').unwrap();
        assert_eq!(whole.parse::<i64>().unwrap() * 100 + cents.parse::<i64>().unwrap(), payment.amount.0);
        assert_eq!(currency, payment.currency.code());
    }
    let truth = NETWORK.truth_csv();
    assert_eq!(truth.lines().next(), Some("payment,typology,case"));
    assert_eq!(truth.lines().count(), 1 + NETWORK.planted.iter().map(|planted| planted.payments.len()).sum::<usize>());
}
