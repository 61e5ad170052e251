//! Accounts and the money that went between them.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, ID, InputObject, Result};
use graph_schema::account::{AccountRecord, AccountStatus, AccountType};
use graph_schema::date::{Date, Timestamp};
use graph_schema::edge::{IdentityFields, RoleFields, SignInFields, TransferFields};
use resolvers::explore::{AccountSummary, ListFilter, TransferFilter};

use super::actor::ActorNode;
use super::balance::BalanceNode;
use super::connection::{NodeConnection, Transfers};
use super::device::DeviceNode;
use super::identity::IdentityNode;
use super::ip_address::IpAddressNode;
use super::object::{graph_node, object_with_links};
use super::version::{AccountVersion, record};
use super::walk::Shown;

/// An account: one of the institution's, one that was only named so far (`known: false`), or one elsewhere (`external: true`).
#[derive(Clone)]
pub struct AccountNode(Shown<AccountSummary>);

graph_node!(AccountNode shows AccountSummary);

/// A page of accounts that money went to or came from.
pub type TransferConnection = NodeConnection<AccountNode, TransferFields, Transfers>;

object_with_links! {
    /// An account: one of the institution's, one that was only named so far (`known: false`), or one elsewhere (`external: true`).
    AccountNode as "Account" {
        /// The account's id, as it was ingested.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("Account:{}", self.0.at.id()))
        }

        /// What a human knows it by.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// The record as it was given: the present one, or as it was known to be on a date.
        async fn record(&self, context: &Context<'_>, as_of: Option<Date>) -> Result<Option<AccountRecord>> {
            record(context, &self.0.at, as_of).await
        }
    }
    shown {
        /// Whether its record has arrived; others have only named it so far when not.
        known: bool = |it| it.known;
        /// Whether it is an account elsewhere, known by what payments say of it.
        external: bool = |it| it.external;
        /// What kind of account it is.
        account_type: Option<AccountType> = |it| it.account_type;
        /// The status as the account's record gives it; null when the record gives none.
        status: Option<AccountStatus> = |it| it.status;
        /// ISO 4217.
        currency_code: Option<String> = |it| it.currency_code.clone();
        /// The International Bank Account Number as the record has it, unchecked; null when the record names none.
        iban: Option<String> = |it| it.iban.clone();
        /// The number of the account at its bank, as the record has it; null when the record names none.
        account_number: Option<String> = |it| it.account_number.clone();
        /// The country of the account, ISO 3166-1 alpha-2.
        domicile: Option<String> = |it| it.domicile.clone();
        /// The time at which the present record came; null where none has.
        recorded_at: Option<Timestamp> = |it| it.recorded_at;
    }
    principals {
        /// The user, key or client that sent the present record; null where none has come, and for what was stored before that was kept.
        recorded_by = |it| it.recorded_by.as_deref();
    }
    links {
        /// All versions, the latest date first.
        history: AccountVersions, AccountVersion, EmptyFields;
        /// Balances at the end of days, as they were sent, the latest day first.
        balances: AccountBalances, BalanceNode, EmptyFields;
        /// Devices from which it was signed in to.
        devices: AccountDevices, DeviceNode, SignInFields;
        /// Addresses from which it was signed in to.
        ip_addresses: AccountIpAddresses, IpAddressNode, SignInFields;
        /// What identifies it: IBAN, account number, references.
        identities: Identities, IdentityNode, IdentityFields;
    }
    with_past {
        /// Who has a role on it.
        actors: RolesOnAccount, ActorNode, RoleFields;
    }
    payments {
        /// Payments it sent or received, whichever side reported them.
        transactions;
        /// Payments it sent.
        sent;
        /// Payments it received.
        received;
    }
    transfers {
        /// Where its money went, added up by account and currency; the largest totals first, compared in the platform's default currency, or in the filter's.
        transferred_to;
        /// Where its money came from, added up by account and currency; the largest totals first, compared in the platform's default currency, or in the filter's.
        received_from;
    }
}

/// Which transfers.
#[derive(InputObject)]
#[graphql(name = "TransferFilter")]
pub struct TransferFilterInput {
    /// As payments have it, such as `EUR`.
    currency: Option<String>,
    /// This total or more, in `currency`, which must be named.
    min_total: Option<f64>,
    /// This total or more in the platform's default currency.
    min_standardized_total: Option<f64>,
}

impl TransferFilterInput {
    pub fn into_filter(self) -> Result<ListFilter> {
        let wrong = |problem: &str| Err(async_graphql::Error::new(format!("filter.{problem}")));
        for (name, least) in [("minTotal", self.min_total), ("minStandardizedTotal", self.min_standardized_total)] {
            if least.is_some_and(|least| least < 0.0) {
                return wrong(&format!("{name}: must not be negative"));
            }
        }
        if self.min_total.is_some() && self.currency.is_none() {
            return wrong("minTotal: needs currency beside it; totals of several currencies are compared by minStandardizedTotal");
        }
        let Self { currency, min_total, min_standardized_total } = self;
        Ok(ListFilter::Transfers(TransferFilter { currency: currency.map(of_payments).transpose()?, min_total, min_standardized_total }))
    }
}

/// A currency as payments may have it.
pub fn of_payments(currency: String) -> Result<String> {
    let right = (3..=12).contains(&currency.len()) && currency.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    if right {
        Ok(currency)
    } else {
        Err(async_graphql::Error::new("filter.currency: must be three to twelve capital letters or digits, such as EUR"))
    }
}
