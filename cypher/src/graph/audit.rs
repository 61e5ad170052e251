//! What is shown of entries of the audit log.

use graph_schema::audit::LogType;
use graph_schema::date::Timestamp;

use super::row::summary;

summary! {
    /// An entry of the audit log; action and object are its caption.
    AuditEntrySummary {
        at: Timestamp = "{b}.timestamp";
        log_type: LogType = "{b}.logType";
        action: String = "{b}.action";
        domain: String = "{b}.domain";
        /// `SUCCESS` or `REFUSED`.
        outcome: String = "{b}.actionResult";
        notes: Option<String> = "{b}.notes";
        /// Nobody where credentials were refused.
        user_id: Option<String> = "{b}.userId";
        user_name: Option<String> = "{b}.userName";
        /// With commas between them.
        user_roles: Option<String> = "{b}.userRole";
        means: Option<String> = "{b}.means";
        ip_address: Option<String> = "{b}.userIP";
        request_id: Option<String> = "{b}.requestId";
        object_type: String = "{b}.objectType";
        object_id: Option<String> = "{b}.objectId";
        case_id: Option<String> = "{b}.caseId";
        old_value: Option<String> = "{b}.oldValue";
        new_value: Option<String> = "{b}.newValue";
    }
}
