//! Transactions, and the lists of them that hang on other types.

use std::sync::Arc;

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, Error, ID, InputObject, Result};
use graph_schema::date::Timestamp;
use graph_schema::money::Money;
use graph_schema::transaction::{Channel, Direction, Method, Purpose, TransactionRecord, TransactionStatus};
use graphql_service::filtering::one_of;
use graphql_service::principal::Principal;
use resolvers::explore::{ListFilter, Node, TransactionFilter, TransactionSummary, nodes};

use super::account::{AccountNode, of_payments};
use super::actor::ActorNode;
use super::case::{CaseNode, DecisionEdge};
use super::changes::FieldChange;
use super::channel_location::ChannelLocationNode;
use super::connection::{GraphNode, NodeConnection, Transactions, one};
use super::device::DeviceNode;
use super::ip_address::IpAddressNode;
use super::object::{graph_node, object_with_links};
use super::risk::recorded_by;
use super::screening::{ScreeningConnection, ScreeningFilterInput};
use super::version::{TransactionVersion, changes_since, record};
use super::walk::{At, Shown, asks_for_id_alone};

/// A payment, as one side of it reported it.
#[derive(Clone)]
pub struct TransactionNode(Shown<TransactionSummary>);

graph_node!(TransactionNode shows TransactionSummary);

impl TransactionNode {
    /// The node of the present field, which the payment itself names by its id: with nothing but that where nothing else is asked, or where it is gone.
    async fn named<N: GraphNode>(
        &self,
        context: &Context<'_>,
        id_of: fn(&TransactionSummary) -> &Arc<str>,
        node: &'static Node,
        new: fn(At) -> Result<N>,
    ) -> Result<N> {
        if !asks_for_id_alone(context.field())
            && let Some(found) = one(context, self).await?
        {
            return Ok(found);
        }
        let id = Arc::clone(id_of(&*self.0.summary(context).await?));
        new(At::captioned(node, Arc::clone(&id), id))
    }
}

/// A page of transactions.
pub type TransactionConnection = NodeConnection<TransactionNode, EmptyFields, Transactions>;

object_with_links! {
    /// A payment, as one side of it reported it.
    TransactionNode as "Transaction" {
        /// The transaction's id, as it was ingested.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("Transaction:{}", self.0.at.id()))
        }

        /// Amount and currency.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// The account whose side reported it.
        async fn account(&self, context: &Context<'_>) -> Result<AccountNode> {
            self.named(context, |summary| &summary.account_id, &nodes::ACCOUNT, AccountNode::new).await
        }

        /// Whose payment it is.
        async fn owner(&self, context: &Context<'_>) -> Result<ActorNode> {
            self.named(context, |summary| &summary.account_owner_id, &nodes::ACTOR, ActorNode::new).await
        }

        /// The record as it was given.
        async fn record(&self, context: &Context<'_>) -> Result<Option<TransactionRecord>> {
            record(context, &self.0.at, None).await
        }

        /// The fields in which the present record differs from the one that it replaced; empty where it is the first. A field that is null is as one that is
        /// not there.
        #[graphql(complexity = 31)]
        async fn changes(&self, context: &Context<'_>) -> Result<Vec<FieldChange>> {
            changes_since(context, &self.0.at, "history").await
        }

        /// The user, key or client that sent the present record; null where the audit log does not have it.
        async fn recorded_by(&self, context: &Context<'_>) -> Result<Option<Principal>> {
            recorded_by(context, self).await
        }
    }
    shown {
        /// Exact to nine decimals; the record has them all.
        amount: Money = |it| it.amount;
        /// Three to twelve capital letters or digits: a code of ISO 4217, or a token such as `USDT`.
        currency: String = |it| it.currency.clone();
        /// The amount in the platform's default currency.
        standardized_amount: Option<Money> = |it| it.standardized_amount;
        /// The time at which the payment was made, as its sender gave it.
        created_at: Timestamp = |it| it.created_at;
        /// Seen from `account`.
        direction: Direction = |it| it.direction;
        /// Only `COMPLETED` ones are added up in transfers.
        status: TransactionStatus = |it| it.status;
        /// How it was ordered.
        channel: Option<Channel> = |it| it.channel;
        /// How it was paid.
        method: Option<Method> = |it| it.method;
        /// What it was for.
        purpose: Option<Purpose> = |it| it.purpose;
        /// The text of the payment; null when none was sent.
        description: Option<String> = |it| it.description.clone(), counted;
        /// The name of the other side, as the payment has it; null when it has none.
        counterparty_name: Option<String> = |it| it.counterparty_name.clone();
        /// The time at which the present record came.
        recorded_at: Option<Timestamp> = |it| it.recorded_at;
    }
    leads_to {
        /// Where the money came from.
        sender: AccountNode;
        /// Where the money went.
        receiver: AccountNode;
        /// What it was made with.
        device: DeviceNode;
        /// From which address.
        ip_address: IpAddressNode;
        /// At which branch or machine.
        channel_location: ChannelLocationNode;
    }
    links {
        /// Actors that are its counterparty.
        parties: Actors, ActorNode, EmptyFields;
        /// Cases in which something was decided about it, the latest decision first.
        decided_in: DecidingCases, CaseNode, DecisionEdge;
        /// What it said before: the records that were replaced, the last of them first. The present one is the transaction itself.
        history: TransactionVersions, TransactionVersion, EmptyFields;
    }
    observations {
        /// Observations that it is a part of, newest first unless `orderBy` says otherwise.
        observations: Observations, EmptyFields;
    }
    filtered {
        /// What providers said of it when it was screened, the latest first.
        screenings: ScreeningFilterInput, ScreeningConnection;
    }
}

/// Which transactions. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "TransactionFilter")]
pub struct TransactionFilterInput {
    /// As payments have it, such as `EUR`.
    currency: Option<String>,
    /// This amount or more, in `currency`, which must be named.
    min_amount: Option<f64>,
    /// This amount or less, in `currency`, which must be named.
    max_amount: Option<f64>,
    /// This amount or more in the platform's default currency.
    min_standardized_amount: Option<f64>,
    /// This amount or less in the platform's default currency.
    max_standardized_amount: Option<f64>,
    /// Made at this time or later.
    from: Option<Timestamp>,
    /// Made before this time.
    to: Option<Timestamp>,
    /// As seen from the account that reported it.
    direction: Option<Direction>,
    /// Of one of these statuses.
    statuses: Option<Vec<TransactionStatus>>,
    /// Ordered through one of these channels.
    channels: Option<Vec<Channel>>,
    /// Paid by one of these methods.
    methods: Option<Vec<Method>>,
    /// One of these.
    #[graphql(deprecation = "Use `statuses`.")]
    status: Option<Vec<TransactionStatus>>,
    /// One of these.
    #[graphql(deprecation = "Use `channels`.")]
    channel: Option<Vec<Channel>>,
    /// One of these.
    #[graphql(deprecation = "Use `methods`.")]
    method: Option<Vec<Method>>,
}

impl TransactionFilterInput {
    /// What can't hold for any transaction is a mistake, and said to be one.
    fn check(&self) -> Result<()> {
        let wrong = |problem: &str| Err(Error::new(format!("filter.{problem}")));
        for (name, given) in [("minAmount", self.min_amount), ("maxAmount", self.max_amount)] {
            if given.is_some() && self.currency.is_none() {
                let standardized = name.replace("Amount", "StandardizedAmount");
                return wrong(&format!("{name}: needs currency beside it; amounts of several currencies are compared by {standardized}"));
            }
        }
        let exceeds = |least: Option<f64>, most: Option<f64>| least.zip(most).is_some_and(|(least, most)| least > most);
        if exceeds(self.min_amount, self.max_amount) {
            return wrong("maxAmount: must not be less than minAmount");
        }
        if exceeds(self.min_standardized_amount, self.max_standardized_amount) {
            return wrong("maxStandardizedAmount: must not be less than minStandardizedAmount");
        }
        if self.from.zip(self.to).is_some_and(|(from, to)| from >= to) {
            return wrong("to: must be later than from");
        }
        Ok(())
    }

    pub fn into_filter(self) -> Result<ListFilter> {
        self.check()?;
        let Self {
            currency,
            min_amount,
            max_amount,
            min_standardized_amount,
            max_standardized_amount,
            from,
            to,
            direction,
            statuses,
            channels,
            methods,
            status,
            channel,
            method,
        } = self;
        Ok(ListFilter::Transactions(TransactionFilter {
            currency: currency.map(of_payments).transpose()?,
            min_amount,
            max_amount,
            min_standardized_amount,
            max_standardized_amount,
            from,
            to,
            direction,
            statuses: one_of(("statuses", statuses), ("status", status))?,
            channels: one_of(("channels", channels), ("channel", channel))?,
            methods: one_of(("methods", methods), ("method", method))?,
        }))
    }
}
