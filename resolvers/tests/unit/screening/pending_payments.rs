use cypher::statements::rows::PendingPayments;
use resolvers::testing::screening::pending::Drained;
use resolvers::testing::screening::pending_payments::{Arrival, BULK_NODES, PORTION, SubmittedPayment, as_text, of_one_step};

/// Nodes of so many payments each.
fn nodes(of: &str, sizes: &[usize]) -> Vec<PendingPayments> {
    let payment = |at: usize| SubmittedPayment { id: format!("payment-{at}"), submission: format!("submission-{at}") };
    let node = |(at, size): (usize, &usize)| {
        let payments: Vec<SubmittedPayment> = (0..*size).map(payment).collect();
        PendingPayments { id: format!("{of}-{at}"), payments: as_text(&payments), operations: "FRAUD,SANCTIONS".to_owned(), tries: 0 }
    };
    sizes.iter().enumerate().map(node).collect()
}

#[test]
fn payments_that_were_sent_alone_come_first_and_leave_those_in_bulk_a_node() {
    for (alone, in_bulk, taken, expected) in [
        (0, vec![], 0, Drained::All),
        (3, vec![200], 1, Drained::All),
        (3, vec![200, 1], 1, Drained::Some),
        (0, vec![199, 200, 1], 2, Drained::Some),
        // Of those that are tried again a node may have few payments.
        (0, vec![1; BULK_NODES - 1], BULK_NODES - 1, Drained::All),
        (0, vec![1; BULK_NODES], BULK_NODES, Drained::Some),
        // However many are sent alone.
        (PORTION, vec![], 0, Drained::Some),
        (PORTION, vec![200, 200], 1, Drained::Some),
    ] {
        let (due, drained) = of_one_step(nodes("alone", &vec![1; alone]), nodes("bulk", &in_bulk));
        assert!(due[..alone].iter().all(|one| one.arrival == Arrival::Alone && one.payments.len() == 1), "{alone}, {in_bulk:?}");
        let rest = due.get(alone..).unwrap_or_default();
        assert!(rest.iter().all(|one| one.arrival == Arrival::InBulk && one.operations.len() == 2), "{alone}, {in_bulk:?}");
        assert_eq!((rest.len(), drained), (taken, expected), "{alone}, {in_bulk:?}");
    }
}
