//! The numbered migrations: what a store must have before anything is written to it.

/// One migration: its statements are applied in order, and may be applied again when an attempt was cut short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migration {
    /// `0001_identities`: number and name.
    pub id: &'static str,
    text: &'static str,
}

/// All migrations, oldest first.
pub const MIGRATIONS: &[Migration] = &[
    Migration { id: "0001_identities", text: include_str!("../migrations/0001_identities.cypher") },
    Migration { id: "0002_search", text: include_str!("../migrations/0002_search.cypher") },
    Migration { id: "0003_jobs", text: include_str!("../migrations/0003_jobs.cypher") },
    Migration { id: "0004_workflows", text: include_str!("../migrations/0004_workflows.cypher") },
    Migration { id: "0005_payment_moves", text: include_str!("../migrations/0005_payment_moves.cypher") },
    Migration { id: "0006_case_lists", text: include_str!("../migrations/0006_case_lists.cypher") },
    Migration { id: "0007_observations", text: include_str!("../migrations/0007_observations.cypher") },
    Migration { id: "0008_case_parts", text: include_str!("../migrations/0008_case_parts.cypher") },
    Migration { id: "0009_segmentation", text: include_str!("../migrations/0009_segmentation.cypher") },
    Migration { id: "0010_bulk", text: include_str!("../migrations/0010_bulk.cypher") },
    Migration { id: "0011_file_store", text: include_str!("../migrations/0011_file_store.cypher") },
    Migration { id: "0012_webhooks", text: include_str!("../migrations/0012_webhooks.cypher") },
    Migration { id: "0013_case_work", text: include_str!("../migrations/0013_case_work.cypher") },
    Migration { id: "0014_event_times", text: include_str!("../migrations/0014_event_times.cypher") },
    Migration { id: "0015_deliveries", text: include_str!("../migrations/0015_deliveries.cypher") },
    Migration { id: "0016_former_feedback", text: include_str!("../migrations/0016_former_feedback.cypher") },
    Migration { id: "0017_acknowledgements", text: include_str!("../migrations/0017_acknowledgements.cypher") },
    Migration { id: "0018_change_feed", text: include_str!("../migrations/0018_change_feed.cypher") },
    Migration { id: "0019_job_instances", text: include_str!("../migrations/0019_job_instances.cypher") },
    Migration { id: "0020_transaction_versions", text: include_str!("../migrations/0020_transaction_versions.cypher") },
    Migration { id: "0021_detection", text: include_str!("../migrations/0021_detection.cypher") },
    Migration { id: "0022_alerts", text: include_str!("../migrations/0022_alerts.cypher") },
    Migration { id: "0023_detection_rules", text: include_str!("../migrations/0023_detection_rules.cypher") },
    Migration { id: "0024_watchlists", text: include_str!("../migrations/0024_watchlists.cypher") },
    Migration { id: "0025_screenings", text: include_str!("../migrations/0025_screenings.cypher") },
    Migration { id: "0026_actor_screenings", text: include_str!("../migrations/0026_actor_screenings.cypher") },
    Migration { id: "0027_cleared_matches", text: include_str!("../migrations/0027_cleared_matches.cypher") },
    Migration { id: "0028_observation_days", text: include_str!("../migrations/0028_observation_days.cypher") },
    Migration { id: "0029_actor_risk", text: include_str!("../migrations/0029_actor_risk.cypher") },
    Migration { id: "0030_payment_screenings", text: include_str!("../migrations/0030_payment_screenings.cypher") },
    Migration { id: "0031_risk_rules", text: include_str!("../migrations/0031_risk_rules.cypher") },
    Migration { id: "0032_audit_lists", text: include_str!("../migrations/0032_audit_lists.cypher") },
    Migration { id: "0033_case_queues", text: include_str!("../migrations/0033_case_queues.cypher") },
    Migration { id: "0034_actor_lists", text: include_str!("../migrations/0034_actor_lists.cypher") },
    Migration { id: "0034_actor_seeks", text: include_str!("../migrations/0034_actor_seeks.cypher") },
    Migration { id: "0035_choices", text: include_str!("../migrations/0035_choices.cypher") },
    Migration { id: "0036_case_counts", text: include_str!("../migrations/0036_case_counts.cypher") },
    Migration { id: "0037_lists_by_rule_and_type", text: include_str!("../migrations/0037_lists_by_rule_and_type.cypher") },
    Migration { id: "0038_cache_writers", text: include_str!("../migrations/0038_cache_writers.cypher") },
];

impl Migration {
    /// Its statements, without comments.
    pub fn statements(&self) -> impl Iterator<Item = &'static str> {
        self.text
            .split(";\n")
            .map(|statement| {
                let lines = statement.trim_start().split_inclusive('\n');
                let comments: usize = lines.take_while(|line| line.starts_with("//")).map(str::len).sum();
                statement.trim_start()[comments..].trim()
            })
            .filter(|statement| !statement.is_empty())
    }
}
