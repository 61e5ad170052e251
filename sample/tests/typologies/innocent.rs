//! The look-alikes are what they say.

use std::collections::BTreeSet;

use sample::typologies::{Innocent, Payment};

use super::{NETWORK, payment};

fn each(kind: Innocent) -> impl Iterator<Item = Vec<&'static Payment>> {
    let alike = NETWORK.look_alikes.iter().filter(move |look_alike| look_alike.kind == kind);
    alike.map(|look_alike| look_alike.payments.iter().map(|&id| payment(&NETWORK, id)).collect())
}

#[test]
fn takings_vary_and_most_are_far_below_the_threshold() {
    for takings in each(Innocent::ShopTakings) {
        let near = takings.iter().filter(|payment| (800_000..1_000_000).contains(&payment.amount.0)).count();
        assert!(near * 2 < takings.len());
        assert!(takings.iter().map(|payment| payment.amount).collect::<BTreeSet<_>>().len() * 2 > takings.len());
    }
}

#[test]
fn a_salary_run_is_one_payer_and_many_payees_on_one_day() {
    for run in each(Innocent::SalaryRun) {
        assert!(run.iter().all(|payment| payment.from == run[0].from));
        assert!(run.iter().map(|payment| payment.to).collect::<BTreeSet<_>>().len() >= 15);
        assert_eq!(run[0].at / 86_400_000, run[run.len() - 1].at / 86_400_000);
    }
}

#[test]
fn employers_pay_20_to_300_salaries() {
    let sizes: Vec<usize> = each(Innocent::SalaryRun).map(|run| run.len()).collect();
    assert!(sizes.iter().all(|size| (15..=300).contains(size)), "{sizes:?}");
    assert!(sizes.iter().max() > Some(&150), "{sizes:?}");
}

#[test]
fn gifts_are_small() {
    for gift in each(Innocent::GroupGift) {
        let (bought, given) = gift.split_last().unwrap();
        assert!(given.iter().all(|payment| payment.amount.0 <= 3_000 && payment.to == bought.from));
    }
}

#[test]
fn an_escrow_is_paid_out_after_more_than_two_days() {
    for escrow in each(Innocent::NotaryEscrow) {
        assert_eq!(escrow.len(), 2);
        assert_eq!(escrow[0].to, escrow[1].from);
        assert!(escrow[1].at - escrow[0].at > 2 * 86_400_000);
    }
}

#[test]
fn a_tax_refund_is_all_that_a_dormant_account_gets() {
    for refund in each(Innocent::TaxRefund) {
        let account = refund[0].to;
        let all = NETWORK.payments.iter().filter(|payment| payment.to == account || payment.from == account);
        assert_eq!(all.count(), 1);
    }
}

#[test]
fn two_companies_that_trade_pay_both_ways_over_months() {
    for trade in each(Innocent::TradingBothWays) {
        assert!(trade.iter().any(|payment| payment.from == trade[0].to));
        assert!(trade[trade.len() - 1].at - trade[0].at > 90 * 86_400_000);
    }
}

#[test]
fn a_season_begins_after_months_of_rest() {
    for season in each(Innocent::SeasonalBusiness) {
        assert!(season.len() > 100);
        assert!(season[0].at - NETWORK.payments[0].at > 90 * 86_400_000);
    }
}

#[test]
fn a_refund_goes_to_a_customer_and_is_what_was_paid() {
    for trip in each(Innocent::TravelRefunds) {
        let agency = trip[0].to;
        let (paid, refunded): (Vec<&Payment>, Vec<&Payment>) = trip.iter().copied().partition(|payment| payment.to == agency);
        assert!(refunded.iter().all(|refund| paid.iter().any(|payment| payment.from == refund.to && payment.amount == refund.amount)));
    }
}
