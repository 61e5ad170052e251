//! End to end, over HTTP, against the real program: every test runs on both engines, unless its area's list says one
//! (`tests![both: …; neo4j: …; embedded: …]`).
//!
//! A test is an `async fn(Engine)` that starts a server ([`support::Server`]) and talks to it as a client would; each area has its own file.
//! On Neo4j all tests share one database, so a test keeps to ids of its own ([`support::Ids`]). Where no Neo4j can be had, its tests are
//! reported as ignored, with the reason; with `CI=true` that is a failure.

mod accounts;
mod actor_risk;
mod actor_risk_chaos;
mod actors;
mod alert_mutations;
mod alert_pages;
mod alerts;
mod audit;
mod awaited;
mod bad_rows;
mod bulk;
mod bulk_cases;
mod bulk_crash;
mod bulk_fields;
mod bulk_order;
mod cache;
mod case_again;
mod case_communications;
mod case_counts;
mod case_events;
mod case_files;
mod case_lists;
mod case_mutations;
mod case_work;
mod case_workflows;
mod case_writers;
mod cases;
mod change_feed;
mod channel_locations;
mod commands;
mod contract;
mod crash;
mod credentials;
mod deliveries;
mod detect;
mod detection;
mod detection_cases;
mod detection_chaos;
mod detection_precision;
mod detection_rules;
mod detection_statements;
mod encodings;
mod event_chaos;
mod event_polls;
mod event_readers;
mod events;
mod graph_page;
mod graphql;
mod graphql_audit;
mod graphql_audits;
mod graphql_documents;
mod graphql_http;
mod graphql_limits;
mod graphql_lists;
mod graphql_pages;
mod graphql_properties;
mod graphql_queues;
mod graphql_risk;
mod graphql_roles;
mod graphql_screens;
mod graphql_segmentation;
mod graphql_statistics;
mod graphql_viewer;
mod headers;
mod history;
mod idempotency;
mod identities;
mod import_lists;
mod import_server;
mod integrating;
mod interleavings;
mod job_chaos;
mod job_instances;
mod jobs;
mod left_out;
mod limits;
mod live_chaos;
mod live_protocol;
mod live_streams;
mod live_topics;
mod lost_answers;
mod money;
mod observations;
mod outage;
mod present_version;
mod readiness;
mod records;
mod reporting;
mod requests_due;
mod requests_for_data;
mod risk;
mod risk_rules;
mod roles;
mod routes;
mod rules;
mod sample;
mod screening;
mod screening_actors;
mod screening_background;
mod screening_cleared;
mod screening_payments;
mod security;
mod segmentation;
mod support;
mod taken_over;
mod transactions;
mod users;
mod watchlists;
mod webhook_deliveries;
mod webhook_listener;
mod webhooks;
mod writers;

use libtest_mimic::{Arguments, Trial};
use support::Test;

/// Most tests wait for a disk or a clock most of the time. With more at once cold databases on two cores make each other late.
const AT_ONCE: usize = 3;

const SLOWEST_SHOWN: usize = 40;

fn main() {
    let areas: Vec<(&str, Vec<Test>)> = vec![
        // What runs alone comes first, then the long ones, so that the short ones fill the gaps.
        ("outage", outage::tests()),
        ("readiness", readiness::tests()),
        ("bad_rows", bad_rows::tests()),
        ("sample", sample::tests()),
        ("crash", crash::tests()),
        ("bulk_crash", bulk_crash::tests()),
        ("bulk_order", bulk_order::tests()),
        ("deliveries", deliveries::tests()),
        ("detect", detect::tests()),
        ("detection", detection::tests()),
        ("detection_cases", detection_cases::tests()),
        ("detection_chaos", detection_chaos::tests()),
        ("actor_risk", actor_risk::tests()),
        ("actor_risk_chaos", actor_risk_chaos::tests()),
        ("detection_precision", detection_precision::tests()),
        ("detection_rules", detection_rules::tests()),
        ("detection_statements", detection_statements::tests()),
        ("event_chaos", event_chaos::tests()),
        ("event_polls", event_polls::tests()),
        ("event_readers", event_readers::tests()),
        ("cache", cache::tests()),
        ("change_feed", change_feed::tests()),
        ("live_chaos", live_chaos::tests()),
        ("live_topics", live_topics::tests()),
        ("live_protocol", live_protocol::tests()),
        ("live_streams", live_streams::tests()),
        ("job_chaos", job_chaos::tests()),
        ("job_instances", job_instances::tests()),
        ("screening_payments", screening_payments::tests()),
        ("screening_actors", screening_actors::tests()),
        ("screening_background", screening_background::tests()),
        ("screening_cleared", screening_cleared::tests()),
        ("interleavings", interleavings::tests()),
        ("history", history::tests()),
        ("writers", writers::tests()),
        ("case_writers", case_writers::tests()),
        ("money", money::tests()),
        ("taken_over", taken_over::tests()),
        ("security", security::tests()),
        ("limits", limits::tests()),
        ("encodings", encodings::tests()),
        ("lost_answers", lost_answers::tests()),
        ("credentials", credentials::tests()),
        ("graphql_lists", graphql_lists::tests()),
        ("graphql_pages", graphql_pages::tests()),
        ("graphql_audit", graphql_audit::tests()),
        ("graphql_queues", graphql_queues::tests()),
        ("graphql_risk", graphql_risk::tests()),
        ("graphql_properties", graphql_properties::tests()),
        ("graphql_roles", graphql_roles::tests()),
        ("graphql_screens", graphql_screens::tests()),
        ("graphql_segmentation", graphql_segmentation::tests()),
        ("graphql_statistics", graphql_statistics::tests()),
        ("graphql_viewer", graphql_viewer::tests()),
        ("graphql", graphql::tests()),
        ("graphql_http", graphql_http::tests()),
        ("graphql_audits", graphql_audits::tests()),
        ("graphql_documents", graphql_documents::tests()),
        ("graphql_limits", graphql_limits::tests()),
        ("idempotency", idempotency::tests()),
        ("identities", identities::tests()),
        ("import_server", import_server::tests()),
        ("import_lists", import_lists::tests()),
        ("jobs", jobs::tests()),
        ("audit", audit::tests()),
        ("roles", roles::tests()),
        ("routes", routes::tests()),
        ("headers", headers::tests()),
        ("alert_mutations", alert_mutations::tests()),
        ("alert_pages", alert_pages::tests()),
        ("alerts", alerts::tests()),
        ("actors", actors::tests()),
        ("accounts", accounts::tests()),
        ("transactions", transactions::tests()),
        ("channel_locations", channel_locations::tests()),
        ("records", records::tests()),
        ("left_out", left_out::tests()),
        ("risk", risk::tests()),
        ("risk_rules", risk_rules::tests()),
        ("bulk", bulk::tests()),
        ("bulk_cases", bulk_cases::tests()),
        ("bulk_fields", bulk_fields::tests()),
        ("present_version", present_version::tests()),
        ("cases", cases::tests()),
        ("case_again", case_again::tests()),
        ("case_communications", case_communications::tests()),
        ("case_counts", case_counts::tests()),
        ("case_events", case_events::tests()),
        ("case_files", case_files::tests()),
        ("case_lists", case_lists::tests()),
        ("case_mutations", case_mutations::tests()),
        ("segmentation", segmentation::tests()),
        ("users", users::tests()),
        ("watchlists", watchlists::tests()),
        ("webhooks", webhooks::tests()),
        ("webhook_deliveries", webhook_deliveries::tests()),
        ("webhook_listener", webhook_listener::tests()),
        ("awaited", awaited::tests()),
        ("observations", observations::tests()),
        ("reporting", reporting::tests()),
        ("case_workflows", case_workflows::tests()),
        ("case_work", case_work::tests()),
        ("events", events::tests()),
        ("requests_for_data", requests_for_data::tests()),
        ("requests_due", requests_due::tests()),
        ("contract", contract::tests()),
        ("rules", rules::tests()),
        ("integrating", integrating::tests()),
        ("graph_page", graph_page::tests()),
        ("commands", commands::tests()),
        ("screening", screening::tests()),
    ];
    let trials = areas.into_iter().flat_map(|(area, tests)| tests.into_iter().flat_map(move |test| test.trials(area))).collect::<Vec<Trial>>();
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_ONCE);
    let conclusion = libtest_mimic::run(&arguments, trials);
    if conclusion.has_failed() {
        support::show_shared_logs();
    }
    for (took, name) in support::slowest(SLOWEST_SHOWN) {
        println!("{:6.1} s  {name}", took.as_secs_f64());
    }
    let left = support::jobs_left_on_shared();
    support::stop_shared();
    let values = support::logs::values_found();
    if !values.is_empty() {
        eprintln!("logs have values of records:\n{}", values.join("\n"));
        std::process::exit(1);
    }
    if !left.is_empty() {
        eprintln!("tests left work behind that is never done: {left:?}");
        std::process::exit(1);
    }
    conclusion.exit();
}
