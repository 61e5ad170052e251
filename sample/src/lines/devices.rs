//! Media as devices, and the sign-ins to accounts made with them.

use serde::Serialize;

use super::Lines;
use crate::party::Holding;
use crate::rows::Tables;

#[derive(Serialize)]
struct Device<'a> {
    id: String,
    r#type: &'a str,
    blocked: bool,
    metadata: Metadata,
}

#[derive(Serialize)]
struct Metadata {
    created_at: String,
}

/// `devices`: `medium-<number>`, of the type that the source names (`PHONE`, `POS`, `IPv4`, …).
pub(crate) fn devices(tables: &Tables) -> Lines<'_> {
    let lines = tables.media.iter().map(|row| Device {
        id: device_id(row.medium_id),
        r#type: &row.medium_type,
        blocked: row.is_blocked,
        metadata: Metadata { created_at: row.create_time.date_time() },
    });
    Lines::of(tables.media.len(), lines)
}

#[derive(Serialize)]
struct SignIn {
    device_id: String,
    account_id: Holding,
    at: String,
}

/// `sign_ins`: which device opened which account when.
pub(crate) fn sign_ins(tables: &Tables) -> Lines<'_> {
    let lines = tables.sign_ins.iter().map(|row| SignIn {
        device_id: device_id(row.medium_id),
        account_id: Holding::Account(row.account_id),
        at: row.create_time.date_time(),
    });
    Lines::of(tables.sign_ins.len(), lines)
}

fn device_id(number: u64) -> String {
    format!("medium-{number}")
}
