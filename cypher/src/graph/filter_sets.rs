//! How filter sets are declared, for [`super::filters`].

/// Declares filter sets. Each entry is the name of the set, the struct of what callers say, and its fields with their conditions.
macro_rules! filter_sets {
    ($(
        $(#[$meta:meta])*
        $set:ident($filter:ident) {
            $($(#[$said:meta])* $field:ident: $type:ty => $text:expr;)+
        }
    )+) => {
        /// Which filters a list or link has.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum FilterSet {
            /// It has none.
            None,
            $($(#[$meta])* $set,)+
        }

        impl FilterSet {
            /// The filters of the set, in the order of their conditions.
            pub const fn all(self) -> &'static [Filter] {
                match self {
                    Self::None => &[],
                    $(Self::$set => $filter::FILTERS,)+
                }
            }
        }

        /// What a caller says to the filters of a list; all of it must hold.
        #[derive(Debug, Clone, Default, PartialEq)]
        pub enum ListFilter {
            #[default]
            All,
            $($(#[$meta])* $set($filter),)+
        }

        impl ListFilter {
            /// The filters to which it is said.
            pub fn set(&self) -> FilterSet {
                match self {
                    Self::All => FilterSet::None,
                    $(Self::$set(_) => FilterSet::$set,)+
                }
            }

            /// The conditions that must hold.
            pub(super) fn conditions(&self) -> Vec<Condition> {
                let values = match self {
                    Self::All => Vec::new(),
                    $(Self::$set(filter) => filter.values(),)+
                };
                let said = self.set().all().iter().zip(values).filter(|(_, value)| *value != Value::Null);
                said.map(|(filter, value)| Condition { filter, value }).collect()
            }
        }

        $(
            $(#[$meta])*
            #[derive(Debug, Clone, Default, PartialEq)]
            pub struct $filter {
                $($(#[$said])* pub $field: Option<$type>,)+
            }

            impl $filter {
                const FILTERS: &'static [Filter] = &[$(Filter { name: stringify!($field), said: stringify!($type), text: $text }),+];

                /// What is said to each filter of the set, in their order.
                fn values(&self) -> Vec<Value> {
                    vec![$(self.$field.to_value()),+]
                }
            }
        )+
    };
}
pub(super) use filter_sets;
