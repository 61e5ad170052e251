//! Pages of lists whose items are no nodes of the graph.

/// The type of a page of a list that is in the order of time alone: its edges, which are of a type of their own, and their nodes.
macro_rules! simple_connection {
    ($(#[$page:meta])+ $connection:ident { $(#[$edges:meta])+ edges: $edge:ident, nodes: $node:ident }) => {
        $(#[$page])+
        #[derive(async_graphql::SimpleObject)]
        #[graphql(complex)]
        pub struct $connection {
            $(#[$edges])+
            edges: Vec<$edge>,
            /// Whether further pages exist, and the cursors at both ends of this one.
            page_info: async_graphql::connection::PageInfo,
        }

        #[async_graphql::ComplexObject]
        impl $connection {
            /// The nodes of these edges, in the same order.
            async fn nodes(&self) -> Vec<&$node> {
                self.edges.iter().map(|edge| &edge.node).collect()
            }
        }
    };
}
pub(crate) use simple_connection;
