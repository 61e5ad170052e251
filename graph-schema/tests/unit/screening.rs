use graph_schema::screening::ScreeningOperation;

#[test]
fn an_operation_that_is_named_twice_is_one() {
    use ScreeningOperation::{Fraud, Sanctions};
    for (named, distinct) in [("", vec![]), ("FRAUD", vec![Fraud]), ("SANCTIONS,FRAUD,SANCTIONS", vec![Sanctions, Fraud])] {
        let named: Result<Vec<_>, _> = named.split(',').filter(|name| !name.is_empty()).map(ScreeningOperation::parse).collect();
        assert_eq!(named.map(ScreeningOperation::distinct), Ok(distinct));
    }
    assert!(ScreeningOperation::parse("fraud").is_err_and(|problem| problem.contains("FRAUD, SANCTIONS")));
}
