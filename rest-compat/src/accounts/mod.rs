//! Accounts, their balances, and who has a role on them.

mod add_account;
mod add_account_balance;
mod add_actor_to_account;
mod remove_actor_from_account;

crate::operation::operations!(add_account, add_account_balance, add_actor_to_account, remove_actor_from_account,);
