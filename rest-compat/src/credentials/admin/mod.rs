//! Making, listing and revoking credentials, for administrators; the commands `key` and `client` come in here.

mod create_client;
mod create_key;
mod list_clients;
mod list_keys;
mod revoke_client;
mod revoke_key;
mod wanted;

crate::operation::operations!(create_key, list_keys, revoke_key, create_client, list_clients, revoke_client,);
