//! How the object types of nodes are said: what is shown of them is a line a field, and where they lead to is a line a link.
//!
//! async-graphql makes the types of it. Of the same lines come the tables by which whole pages are written at once ([`super::at_once`]).

/// An object type with fields of its own, fields shown and links. A field that is shown is a value of the kind's summary. Behind it stands `=> deprecated` with
/// what is to be used instead, where it is to go, and `, counted` where it may be large: then it takes of the answer's bytes before it is put there.
/// What is `whole` has no pages, because there are a few of it; it costs as much as a page of the usual size, as each of them may lead on.
/// `principals` are those who have done something, by an id of the summary. A link to one node has its type; a link to a page of them is a line with its name,
/// the connection's name, the node's type and what the edge says; `with_past` are those that can be asked for as they were known at a moment; what is
/// `first_of` something has no pages; its function is given how many are wanted, and the text behind it describes that number. For a page of what is
/// `gone_through` all of it is read, whatever the page's size, and it costs so much more. The arguments are read by
/// `walk::arguments`; they stand here for the schema.
macro_rules! object_with_links {
    (
        $(#[$meta:meta])*
        $type:ident as $graphql_name:literal {
            $($field:tt)*
        }
        $(whole { $($(#[doc = $whole_doc:literal])+ $whole:ident: $whole_node:ty;)* })?
        $(shown { $($(#[doc = $shown_doc:literal])* $shown:ident $(as $shown_name:literal)?: $shown_type:ty = $shown_of:expr $(=> deprecated $reason:literal)? $(, $counted:ident)?;)* })?
        $(principals { $($(#[doc = $who_doc:literal])+ $who:ident = $who_of:expr;)* })?
        $(leads_to { $($(#[doc = $one_doc:literal])* $one:ident: $one_node:ty;)* })?
        $(first_of { $($(#[doc = $few_doc:literal])+ $few:ident: $few_type:ty = $few_of:path, $few_first:literal $(=> deprecated $few_reason:literal)?;)* })?
        $(links { $($(#[doc = $link_doc:literal])+ $link:ident: $link_name:ident, $link_node:ty, $link_edge:ty;)* })?
        $(with_past { $($(#[doc = $past_doc:literal])+ $past:ident: $past_name:ident, $past_node:ty, $past_edge:ty;)* })?
        $(associates { $($(#[doc = $part_doc:literal])+ $part:ident;)* })?
        $(payments { $($(#[doc = $pay_doc:literal])+ $pay:ident;)* })?
        $(transfers { $($(#[doc = $transfer_doc:literal])+ $transfer:ident;)* })?
        $(cases { $($(#[doc = $case_doc:literal])+ $case:ident;)* })?
        $(observations { $($(#[doc = $seen_doc:literal])+ $seen:ident: $seen_name:ident, $seen_edge:ty;)* })?
        $(filtered { $($(#[doc = $some_doc:literal])+ $some:ident: $some_filter:ty, $some_connection:ty;)* })?
        $(ordered { $($(#[doc = $told_doc:literal])+ $told:ident: $told_filter:ty, $told_order:ty, $told_connection:ty;)* })?
        $(gone_through { $($(#[doc = $through_doc:literal])+ $through:ident: $through_filter:ty, $through_order:ty, $through_connection:ty;)* })?
        $(members { $($(#[doc = $member_doc:literal])+ $member:ident;)* })?
    ) => {
        $(#[$meta])*
        #[async_graphql::Object(name = $graphql_name)]
        impl $type {
            $($field)*

            $($(
                $(#[doc = $whole_doc])+
                #[graphql(complexity = "crate::page::cost(None, None, child_complexity)")]
                async fn $whole(&self, context: &async_graphql::Context<'_>) -> async_graphql::Result<Vec<$whole_node>> {
                    crate::connection::few_nodes(context, self).await
                }
            )*)?

            $($(
                $(#[doc = $shown_doc])*
                $(#[graphql(name = $shown_name)])?
                $(#[graphql(deprecation = $reason)])?
                async fn $shown(&self, context: &async_graphql::Context<'_>) -> async_graphql::Result<$shown_type> {
                    let of: fn(&<$type as crate::connection::GraphNode>::Shown) -> $shown_type = $shown_of;
                    let value = of(&*self.0.summary(context).await?);
                    $(let value = graphql_http::AnswerBudget::$counted(context, value)?;)?
                    Ok(value)
                }
            )*)?

            $($(
                $(#[doc = $who_doc])+
                async fn $who(&self, context: &async_graphql::Context<'_>) -> async_graphql::Result<Option<graphql_service::principal::Principal>> {
                    let of: fn(&<$type as crate::connection::GraphNode>::Shown) -> Option<&str> = $who_of;
                    graphql_service::principal::principal(context, of(&*self.0.summary(context).await?)).await
                }
            )*)?

            $($(
                $(#[doc = $one_doc])*
                async fn $one(&self, context: &async_graphql::Context<'_>) -> async_graphql::Result<Option<$one_node>> {
                    crate::connection::one(context, self).await
                }
            )*)?

            $($(
                $(#[doc = $few_doc])+
                #[graphql(complexity = "crate::page::cost(first, None, child_complexity)" $(, deprecation = $few_reason)?)]
                async fn $few(
                    &self,
                    context: &async_graphql::Context<'_>,
                    #[graphql(desc = $few_first)] first: Option<i32>,
                ) -> async_graphql::Result<$few_type> {
                    $few_of(context, self, first.unwrap_or(crate::page::DEFAULT_SIZE as i32)).await
                }
            )*)?

            $($(
                $(#[doc = $link_doc])+
                #[graphql(complexity = "crate::page::cost(first, last, child_complexity)")]
                #[allow(unused_variables)]
                async fn $link(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                ) -> async_graphql::Result<crate::connection::NodeConnection<$link_node, $link_edge, crate::connection::$link_name>> {
                    crate::connection::links(context, self).await
                }
            )*)?

            $($(
                $(#[doc = $past_doc])+
                #[graphql(complexity = "crate::page::cost(first, last, child_complexity)")]
                #[allow(unused_variables)]
                async fn $past(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    #[graphql(desc = "The links as the service knew them at this moment, those included that were ended or replaced later. \
                        Without it: the present ones.")]
                    as_of: Option<graph_schema::date::Timestamp>,
                ) -> async_graphql::Result<crate::connection::NodeConnection<$past_node, $past_edge, crate::connection::$past_name>> {
                    crate::connection::links(context, self).await
                }
            )*)?

            $($(
                $(#[doc = $part_doc])+
                #[graphql(complexity = "crate::page::cost(first, last, child_complexity) + crate::page::cost_of_filter(&filter)")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                async fn $part(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    filter: Option<crate::actor::AssociateFilterInput>,
                    #[graphql(desc = "The links as the service knew them at this moment, those included that were ended or replaced later. \
                        Without it: the present ones.")]
                    as_of: Option<graph_schema::date::Timestamp>,
                ) -> async_graphql::Result<crate::actor::AssociateConnection> {
                    crate::connection::links(context, self).await
                }
            )*)?

            $($(
                $(#[doc = $pay_doc])+
                #[graphql(complexity = "crate::page::cost(first, last, child_complexity) + crate::page::cost_of_filter(&filter)")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                async fn $pay(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    filter: Option<crate::transaction::TransactionFilterInput>,
                    order_by: Option<graphql_service::orders::TransactionOrder>,
                ) -> async_graphql::Result<crate::transaction::TransactionConnection> {
                    crate::connection::links(context, self).await
                }
            )*)?

            $($(
                $(#[doc = $transfer_doc])+
                #[graphql(complexity = "crate::page::cost(first, last, child_complexity) + crate::page::cost_of_filter(&filter)")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                async fn $transfer(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    filter: Option<crate::account::TransferFilterInput>,
                    order_by: Option<graphql_service::orders::TransferOrder>,
                ) -> async_graphql::Result<crate::account::TransferConnection> {
                    crate::connection::links(context, self).await
                }
            )*)?

            $($(
                $(#[doc = $case_doc])+
                #[graphql(complexity = "crate::page::cost(first, last, child_complexity) + crate::page::cost_of_filter(&filter)")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                async fn $case(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    filter: Option<crate::case::CaseFilterInput>,
                    order_by: Option<graphql_service::orders::CaseOrder>,
                ) -> async_graphql::Result<crate::case::CaseConnection> {
                    crate::connection::links(context, self).await
                }
            )*)?

            $($(
                $(#[doc = $seen_doc])+
                #[graphql(complexity = "crate::page::cost(first, last, child_complexity) + crate::page::cost_of_filter(&filter)")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                async fn $seen(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    filter: Option<crate::observation::ObservationFilterInput>,
                    order_by: Option<graphql_service::orders::ObservationOrder>,
                    #[graphql(desc = "The direction of the order by date; without `orderBy` only.", deprecation = "Use `orderBy`.")]
                    order: Option<graphql_service::filtering::SortDirection>,
                ) -> async_graphql::Result<
                    crate::connection::NodeConnection<
                        crate::observation::ObservationNode,
                        $seen_edge,
                        crate::connection::$seen_name,
                    >,
                > {
                    crate::connection::links(context, self).await
                }
            )*)?

            $($(
                $(#[doc = $some_doc])+
                #[graphql(complexity = "crate::page::cost(first, last, child_complexity) + crate::page::cost_of_filter(&filter)")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                async fn $some(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    filter: Option<$some_filter>,
                ) -> async_graphql::Result<$some_connection> {
                    crate::connection::links(context, self).await
                }
            )*)?

            $($(
                $(#[doc = $told_doc])+
                #[graphql(complexity = "crate::page::cost(first, last, child_complexity) + crate::page::cost_of_filter(&filter)")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                async fn $told(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    filter: Option<$told_filter>,
                    order_by: Option<$told_order>,
                ) -> async_graphql::Result<$told_connection> {
                    crate::connection::links(context, self).await
                }
            )*)?

            $($(
                $(#[doc = $through_doc])+
                #[graphql(complexity = "crate::page::cost(first, last, child_complexity) + crate::page::cost_of_filter(&filter) + 500")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                async fn $through(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    filter: Option<$through_filter>,
                    order_by: Option<$through_order>,
                ) -> async_graphql::Result<$through_connection> {
                    crate::connection::links(context, self).await
                }
            )*)?

            $($(
                $(#[doc = $member_doc])+
                #[graphql(complexity = "crate::page::cost(first, last, child_complexity) + crate::page::cost_of_filter(&filter)")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                async fn $member(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    #[graphql(desc = "The links as the service knew them at this moment, those included that were ended or replaced later. \
                        Without it: the present ones.")]
                    as_of: Option<graph_schema::date::Timestamp>,
                    filter: Option<graphql_service::segmentation::MemberFilterInput>,
                ) -> async_graphql::Result<crate::segmentation::MemberConnection> {
                    crate::connection::links(context, self).await
                }
            )*)?
        }

        impl crate::at_once::NodeFields for $type {
            const LEAVES: &'static [crate::at_once::Leaf<<$type as crate::connection::GraphNode>::Shown>] = &[
                $($(crate::at_once::Leaf {
                    name: [$($shown_name,)? stringify!($shown)][0],
                    value: |shown, selected| {
                        let of: fn(&<$type as crate::connection::GraphNode>::Shown) -> $shown_type = $shown_of;
                        let value = of(shown);
                        $(selected.$counted(&value)?;)?
                        selected.value(&value)
                    },
                },)*)?
            ];

            const LINKS: &'static [crate::at_once::LinkField] = &[
                $($(crate::at_once::LinkField::one::<$one_node>(stringify!($one)),)*)?
                $($(crate::connection::NodeConnection::<$link_node, $link_edge, crate::connection::$link_name>::field(stringify!($link)),)*)?
                $($(crate::connection::NodeConnection::<$past_node, $past_edge, crate::connection::$past_name>::field(stringify!($past)),)*)?
                $($(crate::actor::AssociateConnection::field(stringify!($part)),)*)?
                $($(crate::transaction::TransactionConnection::field(stringify!($pay)),)*)?
                $($(crate::account::TransferConnection::field(stringify!($transfer)),)*)?
                $($(crate::case::CaseConnection::field(stringify!($case)),)*)?
                $($(crate::connection::NodeConnection::<
                    crate::observation::ObservationNode,
                    $seen_edge,
                    crate::connection::$seen_name,
                >::field(stringify!($seen)),)*)?
                $($(<$some_connection>::field(stringify!($some)),)*)?
                $($(<$told_connection>::field(stringify!($told)),)*)?
                $($(<$through_connection>::field(stringify!($through)),)*)?
                $($(crate::segmentation::MemberConnection::field(stringify!($member)),)*)?
            ];
        }
    };
}
pub(super) use object_with_links;

/// A type of nodes with what is shown of it.
macro_rules! graph_node {
    ($type:ident shows $summary:ty) => {
        impl $type {
            pub fn new(at: crate::walk::At) -> async_graphql::Result<Self> {
                crate::walk::Shown::new(at).map(Self)
            }
        }

        impl crate::connection::GraphNode for $type {
            type Shown = $summary;

            fn shown(row: &resolvers::explore::FoundRow) -> Result<Option<$summary>, resolvers::explore::Mismatch> {
                row.node.has_summary().then(|| row.node.summary()).transpose()
            }

            fn reached(at: crate::walk::At, _: &resolvers::explore::FoundRow) -> async_graphql::Result<Self> {
                Self::new(at)
            }

            fn at(&self) -> &crate::walk::At {
                &self.0.at
            }
        }
    };
}
pub(super) use graph_node;
