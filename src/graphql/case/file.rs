//! Files of cases.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, ID, Result};
use graph_schema::date::Timestamp;
use resolvers::explore::FileSummary;

use super::super::connection::{graph_node, object_with_links, one};
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

        /// What its sender called it, without what nobody sees.
        async fn given_name(&self, context: &Context<'_>) -> Result<String> {
            Ok(self.0.summary(context).await?.given_name.clone())
        }

        /// Decided by its content.
        async fn media_type(&self, context: &Context<'_>) -> Result<String> {
            Ok(self.0.summary(context).await?.media_type.clone())
        }

        /// Bytes.
        async fn size(&self, context: &Context<'_>) -> Result<i64> {
            Ok(self.0.summary(context).await?.size)
        }

        /// In hexadecimal digits.
        async fn sha256(&self, context: &Context<'_>) -> Result<String> {
            Ok(self.0.summary(context).await?.sha256.clone())
        }

        async fn uploaded_at(&self, context: &Context<'_>) -> Result<Timestamp> {
            Ok(self.0.summary(context).await?.uploaded_at)
        }

        /// By whom.
        async fn uploaded_by(&self, context: &Context<'_>) -> Result<ID> {
            Ok(ID(self.0.summary(context).await?.uploaded_by.clone()))
        }

        /// Where its content is given out, with the same credentials; the path of an address of this service.
        async fn url(&self) -> String {
            format!("/files/{}", self.0.at.id())
        }

        /// The case that has it.
        async fn case(&self, context: &Context<'_>) -> Result<Option<CaseNode>> {
            one(context, self).await
        }
    }
    links {
        /// Requests for data that it answered.
        answered_requests: RequestsForData, RequestNode, EmptyFields;
    }
    payments {}
    transfers {}
}
