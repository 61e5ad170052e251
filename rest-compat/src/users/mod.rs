//! The users of the platform.

mod get_user;
mod get_users;

crate::operation::operations!(get_users, get_user);
