//! A schema of things that lead to things: each is a number, from which follows what it leads to, and what of it fails.

use async_graphql::{Interface, Object, Result};

pub struct Query(pub u32);
pub struct Thing(pub u32);
pub struct Other(pub u32);

#[derive(Interface)]
#[graphql(field(name = "value", ty = "i32"))]
pub enum Item {
    Thing(Thing),
    Other(Other),
}

/// The number of what another leads to.
pub fn next(number: u32, n: u32) -> u32 {
    (number * 31 + n * 7 + 3) % 997
}

pub fn is_bad(number: u32) -> bool {
    number % 2 == 1
}

pub fn is_worse(number: u32) -> bool {
    number.is_multiple_of(3)
}

pub fn is_refused(number: u32) -> bool {
    number % 4 == 1
}

pub fn is_none(number: u32) -> bool {
    number.is_multiple_of(4)
}

/// Some are done later than others, so that async-graphql has their keys in another order.
async fn pause(number: u32) {
    for _ in 0..number % 3 {
        tokio::task::yield_now().await;
    }
}

fn failed_if<T>(fails: bool, value: T) -> Result<T> {
    if fails { Err("it fails".into()) } else { Ok(value) }
}

macro_rules! leading_to_things {
    ($type:ident, $only:ident) => {
        #[Object]
        impl $type {
            async fn value(&self) -> i32 {
                pause(self.0 + 1).await;
                self.0 as i32
            }

            async fn $only(&self) -> i32 {
                7
            }

            async fn bad(&self) -> Result<Option<i32>> {
                pause(self.0).await;
                failed_if(is_bad(self.0), Some(2))
            }

            async fn worse(&self) -> Result<i32> {
                failed_if(is_worse(self.0), self.0 as i32)
            }

            async fn thing(&self, n: u32) -> Option<Thing> {
                let next = next(self.0, n);
                pause(next).await;
                (!is_none(next)).then_some(Thing(next))
            }

            async fn sure(&self, n: u32) -> Thing {
                pause(n + 1).await;
                Thing(next(self.0, n))
            }

            async fn refused(&self, n: u32) -> Result<Thing> {
                failed_if(is_refused(next(self.0, n)), Thing(next(self.0, n)))
            }

            async fn perhaps(&self, n: u32) -> Result<Option<Thing>> {
                pause(n).await;
                failed_if(is_worse(next(self.0, n)), Some(Thing(next(self.0, n))))
            }

            async fn things(&self, n: u32) -> Vec<Thing> {
                let next = next(self.0, n);
                (0..next % 3).map(|index| Thing(next + index)).collect()
            }

            async fn maybe(&self, n: u32) -> Vec<Option<Thing>> {
                let next = next(self.0, n);
                (0..next % 4).map(|index| index.is_multiple_of(2).then_some(Thing(next + index))).collect()
            }

            /// Not asked by random documents: where an item fails, what else would have failed is not told.
            async fn each(&self, n: u32) -> Vec<Result<Thing>> {
                let next = next(self.0, n);
                (0..next % 3).map(|index| failed_if(is_worse(next + index), Thing(next + index))).collect()
            }

            async fn item(&self, n: u32) -> Option<Item> {
                let next = next(self.0, n);
                pause(next).await;
                let found = if next.is_multiple_of(2) { Item::Thing(Thing(next)) } else { Item::Other(Other(next)) };
                (!next.is_multiple_of(5)).then_some(found)
            }
        }
    };
}

leading_to_things!(Query, only_query);
leading_to_things!(Thing, only_thing);
leading_to_things!(Other, only_other);
