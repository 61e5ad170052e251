//! Files of cases.

use async_graphql::connection::EmptyFields;
use async_graphql::{ID, Result};
use graph_schema::date::Timestamp;
use resolvers::explore::FileSummary;

use super::super::object::{graph_node, object_with_links};
use super::super::walk::Shown;
use super::{CaseNode, RequestNode};

/// A file that was uploaded to a case.
#[derive(Clone)]
pub struct FileNode(Shown<FileSummary>);

graph_node!(FileNode shows FileSummary);

object_with_links! {
    /// A file that was uploaded to a case.
    FileNode as "File" {
        /// The file's id.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("File:{}", self.0.at.id()))
        }

        /// What it is called; never a path.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// Where its content is given out, with the same credentials; the path of an address of this service.
        async fn url(&self) -> String {
            format!("/files/{}", self.0.at.id())
        }
    }
    shown {
        /// What its sender called it, without what nobody sees.
        given_name: String = |it| it.given_name.clone();
        /// Decided by its content.
        media_type: String = |it| it.media_type.clone();
        /// Bytes.
        size: i64 = |it| it.size;
        /// In hexadecimal digits.
        sha256: String = |it| it.sha256.clone();
        /// The time at which the upload was stored.
        uploaded_at: Timestamp = |it| it.uploaded_at;
        /// By whom.
        uploaded_by: ID = |it| ID(it.uploaded_by.clone()) => deprecated "Use `uploadedByPrincipal`.";
    }
    principals {
        /// The user, key or client that uploaded it; null where the service did.
        uploaded_by_principal = |it| Some(&it.uploaded_by);
    }
    leads_to {
        /// The case that has it.
        case: CaseNode;
    }
    links {
        /// Requests for data that it answered.
        answered_requests: RequestsForData, RequestNode, EmptyFields;
    }
}
