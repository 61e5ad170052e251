use graph_schema::given::read;
use graph_schema::identity::IdentityRules;
use graph_schema::transaction::TransactionRecord;
use resolvers::testing::audit::entry::{Object, entry_of_service};
use resolvers::testing::queue::Write;
use resolvers::testing::queue::submission::{Foresight, LockHint};
use resolvers::testing::transaction::foresight::SeenHolders;
use resolvers::testing::transaction::row::TransactionRow;

/// A payment to whoever has a number.
fn write(number: &str) -> Write<TransactionRow> {
    let text = format!(
        r#"{{"id":"t","account_id":"a","account_owner_id":"o","amount":{{"value":1,"currency":"EUR"}},"standardized_amount":1,
            "created_at":1714557600,"direction":"OUTBOUND","status":"COMPLETED",
            "counterparty":{{"object":"ACCOUNT_INFO","account_info":{{"iban":"{number}"}}}}}}"#
    );
    let given = read::<TransactionRecord>(text.as_bytes()).expect("a record");
    let entry = entry_of_service(Object { kind: "Transaction", id: "t", action: "transaction.recorded" });
    let (row, locks) = TransactionRow::of(&given, &IdentityRules::default(), 0, "w").expect("a row");
    Write::new(row, entry).locking(locks)
}

#[test]
fn whose_a_number_is_is_locked_as_if_it_were_named_by_its_id() {
    let payment = || write("DE89370400440532013000");
    let number = payment().row.numbers()[0].id.clone();
    let holder = LockHint::of("Account", "b");
    let seen = SeenHolders { by_number: [(number.clone(), Some(holder))].into() };
    let foretold = seen.foretell(payment());
    assert!(foretold.locks.contains(&holder) && foretold.foresight == Foresight::Full);
    assert!(foretold.locks.contains(&LockHint::of("Account", "a")), "its own account is named by its id");
    let nobodys = SeenHolders { by_number: [(number, None)].into() }.foretell(payment());
    assert_eq!((nobodys.foresight, nobodys.locks.len() + 1), (Foresight::Full, foretold.locks.len()));
    assert_eq!(SeenHolders::default().foretell(payment()).foresight, Foresight::Partial, "nobody has looked");
}
