use graph_schema::event::{
    CaseAssigned, CaseClosed, CaseCommented, CaseCreated, CaseCreationFailed, CaseObservationsActioned, CaseObservationsFeedbackUpdated,
    CaseTransactionDecisionUpdated, CaseUpdated, CaseWorkflowActioned, CaseWorkflowTransitioned, Event, NAMES, ObservationAction,
    RequestForDataCreated, TransactionDecision,
};
use graph_schema::id::{CaseId, ObservationId, RequestForDataId, StepId, TransactionId, UserId, WorkflowId};
use graph_schema::json_object::JsonObject;
use graph_schema::json_text::JsonText;
use serde_json::Value;

/// The document's table: name and fields of `data`.
const TABLE: [(&str, &str); 12] = [
    ("case.assigned", "id userId assignedToUserId metadata"),
    ("case.closed", "id userId resolution dispositionNarrative comment closeReason metadata"),
    ("case.created", "id userId processId metadata"),
    ("case.updated", "id"),
    ("case.creation_failed", "id"),
    ("case.workflow.actioned", "id userId actionName comment metadata"),
    ("case.workflow.transitioned", "id workflowId fromStepId toStepId userId actionName"),
    ("case.commented", "id userId comment metadata"),
    ("case.transaction.decision.updated", "id transactionId userId decision"),
    ("case.observations.feedback.updated", "id userId observationId feedback"),
    ("case.observations.actioned", "id observationId actionName userId comment caseMetadata observationMetadata observationCustomData"),
    ("request_for_data.created", "rfd_id type case_id"),
];

/// Every event with all that is optional in it left out, or said.
fn events(said: Said) -> [Event; 12] {
    let text = |text: &str| (said == Said::All).then(|| text.to_owned());
    let metadata = || (said == Said::All).then(|| JsonObject::parse(r#"{"a": 1.0}"#).unwrap());
    let (id, user_id) = (CaseId::new("c"), UserId::new("u"));
    let (observation_id, workflow_id) = (ObservationId::new("o"), WorkflowId::new("w"));
    let resolution = (said == Said::All).then(|| JsonText::parse("[1.50]").unwrap());
    let assigned_to_user_id = (said == Said::All).then(|| UserId::new("v"));
    [
        Event::CaseAssigned(CaseAssigned { id: id.clone(), user_id: user_id.clone(), assigned_to_user_id, metadata: metadata() }),
        Event::CaseClosed(CaseClosed {
            id: id.clone(),
            user_id: user_id.clone(),
            resolution,
            disposition_narrative: text("n"),
            comment: text("c"),
            close_reason: text("r"),
            metadata: metadata(),
        }),
        Event::CaseCreated(CaseCreated { id: id.clone(), user_id: user_id.clone(), process_id: workflow_id.clone(), metadata: metadata() }),
        Event::CaseUpdated(CaseUpdated { id: id.clone() }),
        Event::CaseCreationFailed(CaseCreationFailed { id: id.clone() }),
        Event::CaseWorkflowActioned(CaseWorkflowActioned {
            id: id.clone(),
            user_id: user_id.clone(),
            action_name: "CLAIM".to_owned(),
            comment: text("c"),
            metadata: metadata(),
        }),
        Event::CaseWorkflowTransitioned(CaseWorkflowTransitioned {
            id: id.clone(),
            workflow_id,
            from_step_id: StepId::new("a"),
            to_step_id: StepId::new("b"),
            user_id: user_id.clone(),
            action_name: "CLAIM".to_owned(),
        }),
        Event::CaseCommented(CaseCommented { id: id.clone(), user_id: user_id.clone(), comment: "c".to_owned(), metadata: metadata() }),
        Event::CaseTransactionDecisionUpdated(CaseTransactionDecisionUpdated {
            id: id.clone(),
            transaction_id: TransactionId::new("t"),
            user_id: user_id.clone(),
            decision: Some(TransactionDecision::Block),
        }),
        Event::CaseObservationsFeedbackUpdated(CaseObservationsFeedbackUpdated {
            id: id.clone(),
            user_id: user_id.clone(),
            observation_id: observation_id.clone(),
            feedback: Some("TRUE_POSITIVE".to_owned()),
        }),
        Event::CaseObservationsActioned(CaseObservationsActioned {
            id: id.clone(),
            observation_id,
            action_name: ObservationAction::Whitelist,
            user_id,
            comment: text("c"),
            case_metadata: metadata(),
            observation_metadata: metadata(),
            observation_custom_data: metadata(),
        }),
        Event::RequestForDataCreated(RequestForDataCreated { rfd_id: RequestForDataId::new("r"), kind: "KYC".to_owned(), case_id: id }),
    ]
}

#[derive(Clone, Copy, PartialEq)]
enum Said {
    All,
    WhatIsRequired,
}

#[test]
fn data_has_the_fields_of_the_documents_table() {
    for said in [Said::All, Said::WhatIsRequired] {
        for (event, (name, fields)) in events(said).iter().zip(TABLE) {
            assert_eq!(event.name(), name);
            assert_eq!(event.case_id().as_str(), "c", "{name}");
            let data: Value = serde_json::from_str(&event.data()).unwrap();
            let mut found: Vec<&str> = data.as_object().unwrap().keys().map(String::as_str).collect();
            let mut wanted: Vec<&str> = fields.split(' ').collect();
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted, "{name}");
        }
    }
    assert_eq!(TABLE.map(|(name, _)| name), NAMES);
}

#[test]
fn values_are_written_as_they_came() {
    let [assigned, closed, ..] = events(Said::All);
    assert_eq!(assigned.data(), r#"{"id":"c","userId":"u","assignedToUserId":"v","metadata":{"a": 1.0}}"#);
    let wanted = r#"{"id":"c","userId":"u","resolution":[1.50],"dispositionNarrative":"n","comment":"c","closeReason":"r","metadata":{"a": 1.0}}"#;
    assert_eq!(closed.data(), wanted);
    let [assigned, ..] = events(Said::WhatIsRequired);
    assert_eq!(assigned.data(), r#"{"id":"c","userId":"u","assignedToUserId":null,"metadata":null}"#);
    let read: CaseAssigned = serde_json::from_str(&assigned.data()).unwrap();
    assert_eq!(Event::CaseAssigned(read), assigned);
    let actioned = events(Said::All)[10].data();
    assert!(actioned.contains(r#""actionName":"WHITELIST""#), "{actioned}");
}
