//! What splits libraries, one example each: the ends of windows, equal times, self payments, parallel payments, limits of zero and one, and
//! chains that are loaded backwards, forwards and shuffled.

use std::time::Duration;

use analytics::{
    Bins, CycleLimits, Fan, Legs, Party, Payment, Side, cycles, dormancies, fans, gather_scatters, pass_throughs, scatter_gathers, velocities,
};

use crate::networks::{loaded, lookback, network, paid, payment, span};

/// The sizes of the fans that each payment closes into its account.
fn fan_in(payments: &[Payment]) -> Vec<(u32, u32)> {
    let network = network(payments);
    let found = fans(&network, Side::In, lookback(10), &Bins::new(vec![2]).unwrap());
    loaded(&network, |payment| {
        let Fan { accounts, payments } = found.closed(payment);
        (accounts, payments)
    })
}

/// The patterns that each payment closes.
fn scatter_gather(payments: &[Payment], legs: Legs) -> Vec<u32> {
    let network = network(payments);
    let found = scatter_gathers(&network, span(10), legs, &Bins::new(vec![2]).unwrap());
    loaded(&network, |payment| found.closed(payment))
}

/// The rings that each payment is a member of, of all lengths, and the chains.
fn ring(payments: &[Payment], most: u32) -> Vec<(u32, u32)> {
    let network = network(payments);
    let found = cycles(&network, CycleLimits { span: span(10), payments: most });
    loaded(&network, |payment| (found.rings(payment).iter().sum(), found.ways(payment).iter().sum()))
}

#[test]
fn a_fan_leaves_out_what_is_exactly_its_window_ago() {
    assert_eq!(fan_in(&[payment(1, 0, 0), payment(2, 0, 9)]), [(1, 1), (2, 2)]);
    assert_eq!(fan_in(&[payment(1, 0, 0), payment(2, 0, 10)]), [(1, 1), (1, 1)]);
}

#[test]
fn payments_of_one_instant_are_in_each_others_fans_in_both_orders_of_loading() {
    assert_eq!(fan_in(&[payment(1, 0, 5), payment(2, 0, 5)]), [(2, 2), (2, 2)]);
    assert_eq!(fan_in(&[payment(2, 0, 5), payment(1, 0, 5)]), [(2, 2), (2, 2)]);
}

#[test]
fn a_self_payment_is_in_no_fan() {
    assert_eq!(fan_in(&[payment(1, 0, 0), payment(0, 0, 1), payment(2, 0, 2)]), [(1, 1), (0, 0), (2, 2)]);
}

#[test]
fn parallel_payments_are_one_account_of_a_fan() {
    assert_eq!(fan_in(&[payment(1, 0, 0), payment(1, 0, 1), payment(2, 0, 2)]), [(1, 1), (1, 2), (2, 3)]);
}

/// Source 0, sink 3, over 1 and 2.
fn diamond(times: [i64; 4]) -> [Payment; 4] {
    [payment(0, 1, times[0]), payment(0, 2, times[1]), payment(1, 3, times[2]), payment(2, 3, times[3])]
}

#[test]
fn a_scatter_gather_may_take_exactly_its_span() {
    assert_eq!(scatter_gather(&diamond([0, 1, 2, 10]), Legs::InOrder), [0, 0, 0, 1]);
    assert_eq!(scatter_gather(&diamond([0, 1, 2, 11]), Legs::InOrder), [0, 0, 0, 0]);
}

#[test]
fn a_gather_payment_of_the_scatter_payments_instant_is_not_later() {
    assert_eq!(scatter_gather(&diamond([1, 1, 1, 2]), Legs::InOrder), [0, 0, 0, 0]);
    assert_eq!(scatter_gather(&diamond([1, 1, 1, 2]), Legs::AnyOrder), [0, 0, 0, 1]);
}

#[test]
fn legs_of_one_instant_close_one_pattern_each() {
    assert_eq!(scatter_gather(&diamond([1, 1, 2, 2]), Legs::InOrder), [0, 0, 1, 1]);
    assert_eq!(scatter_gather(&diamond([2, 2, 2, 2]), Legs::AnyOrder), [1, 1, 1, 1]);
}

#[test]
fn gathering_before_scattering_is_a_pattern_in_any_order_only() {
    assert_eq!(scatter_gather(&diamond([3, 4, 1, 2]), Legs::InOrder), [0, 0, 0, 0]);
    assert_eq!(scatter_gather(&diamond([3, 4, 1, 2]), Legs::AnyOrder), [0, 1, 0, 0]);
}

#[test]
fn what_goes_back_to_its_source_and_a_self_payment_are_no_legs() {
    let back = [payment(0, 1, 0), payment(0, 2, 0), payment(1, 0, 1), payment(2, 0, 1)];
    assert_eq!(scatter_gather(&back, Legs::InOrder), [0; 4]);
    let own = [payment(0, 1, 0), payment(1, 3, 1), payment(0, 0, 0), payment(0, 3, 1), payment(3, 3, 1)];
    assert_eq!(scatter_gather(&own, Legs::AnyOrder), [0; 5]);
}

#[test]
fn a_parallel_leg_is_no_second_intermediary() {
    let parallel = [payment(0, 1, 0), payment(0, 1, 1), payment(1, 3, 2), payment(1, 3, 3)];
    assert_eq!(scatter_gather(&parallel, Legs::InOrder), [0; 4]);
}

#[test]
fn a_later_payment_erases_a_pattern_for_the_graph_feature_preprocessor_alone() {
    let mut payments = diamond([0, 1, 2, 3]).to_vec();
    payments.push(payment(0, 1, 50));
    assert_eq!(scatter_gather(&payments, Legs::AnyOrder), [0, 0, 0, 1, 0]);
    assert_eq!(scatter_gather(&payments, Legs::AsGraphFeaturePreprocessor), [0; 5]);
}

#[test]
fn a_cycle_may_take_exactly_its_span() {
    assert_eq!(ring(&[payment(0, 1, 0), payment(1, 2, 1), payment(2, 0, 10)], 5), [(1, 1); 3]);
    assert_eq!(ring(&[payment(0, 1, 0), payment(1, 2, 1), payment(2, 0, 11)], 5), [(0, 0); 3]);
}

#[test]
fn equal_times_close_no_cycle_in_both_orders_of_loading() {
    assert_eq!(ring(&[payment(0, 1, 1), payment(1, 0, 1)], 5), [(0, 0); 2]);
    assert_eq!(ring(&[payment(1, 0, 1), payment(0, 1, 1)], 5), [(0, 0); 2]);
    assert_eq!(ring(&[payment(0, 1, 1), payment(1, 2, 2), payment(2, 0, 2)], 5), [(0, 0); 3]);
}

#[test]
fn a_cycle_is_the_same_loaded_forwards_backwards_and_shuffled() {
    let forwards = [payment(0, 1, 1), payment(1, 2, 2), payment(2, 3, 3), payment(3, 0, 4)];
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
        assert_eq!(ring(&order.map(|place| forwards[place]), 5), [(1, 1); 4], "{order:?}");
    }
}

#[test]
fn a_self_payment_closes_no_cycle_and_hides_none() {
    assert_eq!(ring(&[payment(0, 0, 1)], 5), [(0, 0)]);
    assert_eq!(ring(&[payment(0, 0, 0), payment(0, 1, 1), payment(1, 1, 2), payment(1, 0, 3)], 5), [(0, 0), (1, 1), (0, 0), (1, 1)]);
}

#[test]
fn parallel_payments_are_one_ring_and_several_chains() {
    let payments = [payment(0, 1, 0), payment(0, 1, 1), payment(1, 2, 2), payment(1, 2, 3), payment(2, 0, 4)];
    assert_eq!(ring(&payments, 5), [(1, 2), (1, 2), (1, 2), (1, 2), (1, 4)]);
}

#[test]
fn each_closing_payment_closes_a_ring_of_its_own() {
    assert_eq!(ring(&[payment(0, 1, 0), payment(1, 0, 1), payment(1, 0, 2)], 5), [(2, 2), (1, 1), (1, 1)]);
}

#[test]
fn a_limit_counts_payments_and_below_two_lets_nothing_through() {
    let two = [payment(0, 1, 0), payment(1, 0, 1)];
    let three = [payment(0, 1, 0), payment(1, 2, 1), payment(2, 0, 2)];
    for most in [0, 1] {
        assert_eq!(ring(&two, most), [(0, 0); 2]);
    }
    assert_eq!(ring(&two, 2), [(1, 1); 2]);
    assert_eq!(ring(&three, 2), [(0, 0); 3]);
    assert_eq!(ring(&three, 3), [(1, 1); 3]);
}

/// Senders, payments in, receivers, payments out when the last payment was made.
fn hub(payments: &[Payment]) -> (u32, u32, u32, u32) {
    let network = network(payments);
    let found = gather_scatters(&network, span(10));
    let hub = found.hub(network.payments().last().unwrap());
    (hub.senders, hub.payments_in, hub.receivers, hub.payments_out)
}

#[test]
fn a_hub_gathers_within_its_span_and_strictly_before_it_scatters() {
    assert_eq!(hub(&[payment(1, 0, 0), payment(2, 0, 1), payment(0, 3, 5), payment(0, 4, 10)]), (2, 2, 2, 2));
    assert_eq!(hub(&[payment(1, 0, 0), payment(2, 0, 1), payment(0, 3, 5), payment(0, 4, 11)]), (1, 1, 2, 2));
    assert_eq!(hub(&[payment(1, 0, 5), payment(0, 3, 5)]), (0, 0, 0, 0));
    assert_eq!(hub(&[payment(1, 0, 5), payment(0, 3, 5), payment(0, 4, 6)]), (1, 1, 1, 1));
}

#[test]
fn a_hub_counts_parallel_payments_as_one_account_and_self_payments_not_at_all() {
    assert_eq!(hub(&[payment(1, 0, 0), payment(1, 0, 1), payment(0, 0, 2), payment(0, 3, 3), payment(0, 3, 4)]), (1, 2, 1, 2));
    assert_eq!(hub(&[payment(0, 0, 0), payment(0, 3, 4)]), (0, 0, 0, 0));
}

/// What was received and sent in the currency of the last payment when it was made.
fn passed(payments: &[Payment]) -> (i128, i128) {
    let network = network(payments);
    let found = pass_throughs(&network, span(10));
    let passed = found.passed(network.payments().last().unwrap());
    (passed.received.0, passed.sent.0)
}

#[test]
fn what_passes_through_is_of_one_currency_and_came_in_strictly_before() {
    assert_eq!(passed(&[paid(1, 0, 0, 100, 0), paid(0, 2, 10, 90, 0)]), (100, 90));
    assert_eq!(passed(&[paid(1, 0, 0, 100, 0), paid(0, 2, 11, 90, 0)]), (0, 0));
    assert_eq!(passed(&[paid(1, 0, 5, 100, 0), paid(0, 2, 5, 90, 0)]), (0, 0));
    assert_eq!(passed(&[paid(1, 0, 0, 100, 1), paid(1, 0, 1, 7, 0), paid(0, 2, 2, 90, 0)]), (7, 90));
    assert_eq!(passed(&[paid(1, 0, 0, 100, 0), paid(0, 0, 1, 50, 0), paid(0, 2, 2, 40, 0), paid(0, 2, 2, 30, 0)]), (100, 70));
}

/// Payments, accounts and amount of the sender's payments out when the last one was made.
fn velocity(payments: &[Payment]) -> (u32, u32, i128) {
    let network = network(payments);
    let found = velocities(&network, Party::Sender, Side::Out, lookback(10));
    let activity = found.activity(network.payments().last().unwrap());
    (activity.payments, activity.accounts, activity.amount.0)
}

#[test]
fn velocity_leaves_out_what_is_exactly_its_window_ago_and_counts_one_instant_together() {
    assert_eq!(velocity(&[paid(0, 1, 0, 5, 0), paid(0, 2, 9, 7, 0)]), (2, 2, 12));
    assert_eq!(velocity(&[paid(0, 1, 0, 5, 0), paid(0, 2, 10, 7, 0)]), (1, 1, 7));
    assert_eq!(velocity(&[paid(0, 1, 3, 5, 0), paid(0, 2, 3, 7, 0)]), (2, 2, 12));
}

#[test]
fn velocity_counts_a_self_payment_and_parallel_ones_but_adds_no_other_currency() {
    assert_eq!(velocity(&[paid(0, 0, 0, 5, 0), paid(0, 1, 1, 7, 0), paid(0, 1, 2, 9, 0)]), (3, 1, 21));
    assert_eq!(velocity(&[paid(0, 1, 0, 5, 1), paid(0, 1, 1, 7, 0)]), (2, 1, 7));
}

#[test]
fn an_account_is_awakened_after_exactly_its_time_and_a_new_one_is_not() {
    let awakened = |payments: &[Payment]| {
        let network = network(payments);
        let found = dormancies(&network, Party::Sender);
        found.awakens(network.payments().last().unwrap(), Duration::from_millis(10))
    };
    assert!(awakened(&[payment(1, 0, 0), payment(0, 2, 10)]));
    assert!(!awakened(&[payment(1, 0, 0), payment(0, 2, 9)]));
    assert!(!awakened(&[payment(0, 2, 10)]));
    // Of one instant all awaken it.
    assert!(awakened(&[payment(1, 0, 0), payment(0, 2, 10), payment(0, 2, 10)]));
    assert!(!awakened(&[payment(1, 0, 0), payment(0, 0, 5), payment(0, 2, 10)]));
}
