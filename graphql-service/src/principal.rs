//! Principals: users and others who act.

use std::borrow::Cow;

use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::{Context, ContextSelectionSet, Enum, ID, Object, OutputType, Positioned, Result, ServerResult, Value};
use graphql_http::asking::{asking, boxed};
use graphql_http::refused::refused;

/// Somebody or something that acts.
pub struct Principal(pub resolvers::Principal);

/// Somebody or something that acts: a user, a system with an API key, or a system with the token of a client.
#[Object]
impl Principal {
    /// The id of the user, key or client.
    async fn id(&self) -> ID {
        ID(self.0.id.clone())
    }

    /// The name that people know the user, key or client by.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// Whether it is a user, a key or a client.
    async fn kind(&self) -> PrincipalKind {
        self.0.kind.into()
    }

    /// The user that it is; null for keys and clients.
    async fn user(&self) -> Option<PrincipalUser<'_>> {
        (self.0.kind == resolvers::PrincipalKind::User).then_some(PrincipalUser(&self.0))
    }
}

/// Kinds of principals.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
#[graphql(remote = "resolvers::PrincipalKind")]
pub enum PrincipalKind {
    /// A person.
    User,
    /// A system with an API key.
    ApiKey,
    /// A system with the token of a client.
    Client,
}

/// Answers what is selected of the user that a principal is.
#[async_trait::async_trait]
pub trait AnswerUser: Send + Sync {
    /// The value of the field whose selection the context has.
    async fn answer(&self, principal: &resolvers::Principal, context: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value>;
}

/// What the data of a schema must have, or `Principal.user` is an error.
pub type UserAnswers = Box<dyn AnswerUser>;

/// A principal as the user that it is. Users lead to cases, so their type is in a crate above; here is its name, and who answers is in the schema's data.
pub struct PrincipalUser<'a>(&'a resolvers::Principal);

#[async_trait::async_trait]
impl OutputType for PrincipalUser<'_> {
    fn type_name() -> Cow<'static, str> {
        Cow::Borrowed("User")
    }

    // The crate above registers the type.
    fn create_type_info(_: &mut Registry) -> String {
        Self::qualified_type_name()
    }

    async fn resolve(&self, context: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        let answers = context.data::<UserAnswers>().map_err(|error| error.into_server_error(field.pos))?;
        answers.answer(self.0, context, field).await
    }
}

/// Whoever has this id, as a record keeps it; null where the service itself acted. Those of a page are one statement.
#[boxed]
pub async fn principal(context: &Context<'_>, id: Option<&str>) -> Result<Option<Principal>> {
    let Some(id) = id else { return Ok(None) };
    let (resolvers, caller) = asking(context)?;
    Ok(resolvers.principal(caller, id).await.map_err(refused)?.map(Principal))
}

/// Adds `byPrincipal` to objects that have the id of whoever did it in `by`.
macro_rules! by_principal {
    ($($type:ident)*) => {
        $(
            #[async_graphql::ComplexObject]
            impl $type {
                /// The user, key or client that did it; null where the service did.
                async fn by_principal(&self, context: &async_graphql::Context<'_>) -> async_graphql::Result<Option<crate::principal::Principal>> {
                    crate::principal::principal(context, Some(&self.by)).await
                }
            }
        )*
    };
}
pub(crate) use by_principal;
