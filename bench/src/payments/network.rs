//! The accounts of the sample, and more payments of those who pay each other there.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{Accounts, Naming, Payment, Random, Receiver, Whom, amount};

/// Numbers that payments name. The sample's accounts have none, so that they lead to external accounts.
const NUMBERS: u64 = 1_000;

/// What the sample has, whatever store it is in.
pub struct Network {
    /// The ids of all accounts.
    pub accounts: Vec<String>,
    /// The ids of those that money goes out of.
    pub payers: Vec<String>,
    /// Who pays whom, as often as they do.
    pairs: Vec<Pair>,
}

struct Pair {
    from: String,
    owner: String,
    to: String,
}

impl Network {
    /// Reads the bundled data.
    pub fn of_the_sample() -> Result<Self> {
        let network = sample::network()?;
        let lines = |name: &str| -> Result<Vec<String>> {
            let list = network.lists().into_iter().find(|list| list.name == name).with_context(|| format!("the sample has {name}"))?;
            Ok(list.lines.collect())
        };
        let accounts = lines("accounts")?.iter().map(|line| id(line)).collect::<Result<_>>()?;
        let pairs = lines("transactions")?.iter().map(|line| Pair::of_line(line)).collect::<Result<Vec<_>>>()?;
        let payers: BTreeSet<&str> = pairs.iter().map(|pair| pair.from.as_str()).collect();
        let payers = payers.into_iter().map(str::to_owned).collect();
        Ok(Self { accounts, payers, pairs })
    }

    /// One more payment of two who pay each other; by number to an external account instead.
    pub fn payment(&self, naming: Naming, random: &mut Random) -> Payment {
        let Pair { from, owner, to } = &self.pairs[random.below(self.pairs.len() as u64) as usize];
        let (to, account_info) = match naming {
            Naming::Id => (Receiver::Account(to.clone()), format!(r#"{{"id":"{to}"}}"#)),
            Naming::Number => {
                let whom = Whom::NumberAtBank(random.below(NUMBERS));
                (Receiver::Number(Accounts::Spread.identity(whom)), Accounts::Spread.described(whom))
            }
        };
        Payment::made(from.clone(), owner.clone(), to, &account_info, amount(random))
    }
}

impl Pair {
    fn of_line(line: &str) -> Result<Self> {
        let Payment { from, owner, to, .. } = Payment::of_line(line)?;
        let Receiver::Account(to) = to else { bail!("no account in {line}") };
        Ok(Self { from, owner, to })
    }
}

/// The id of a record.
fn id(line: &str) -> Result<String> {
    let record: Value = serde_json::from_str(line)?;
    Ok(record["id"].as_str().with_context(|| format!("no id in {line}"))?.to_owned())
}
