//! The places at which transactions are made.

mod create_channel_location;
mod get_all_channel_locations;

crate::operation::operations!(create_channel_location, get_all_channel_locations);
