//! Writes a generated network as CSV files: payments, accounts, actors, what is known beside, and the truth.
//!
//!     typologies FOLDER [SEED]

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use sample::typologies::{ActorKind, Fact, Network, Settings, generate};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: typologies FOLDER [SEED]")?;
    let seed = arguments.next().map_or(Ok(1), |seed| seed.parse())?;
    let network = generate(&Settings::with_seed(seed))?;
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    fs::write(folder.join("payments.csv"), network.to_csv())?;
    fs::write(folder.join("truth.csv"), network.truth_csv())?;
    fs::write(folder.join("accounts.csv"), accounts(&network)?)?;
    fs::write(folder.join("actors.csv"), actors(&network)?)?;
    fs::write(folder.join("facts.csv"), facts(&network)?)?;
    fs::write(folder.join("look-alikes.csv"), look_alikes(&network)?)?;
    Ok(())
}

fn accounts(network: &Network) -> Result<String, std::fmt::Error> {
    let mut csv = String::from("id,owner,opened\n");
    for account in &network.accounts {
        let owner = account.owner.map(|owner| owner.to_string()).unwrap_or_default();
        writeln!(csv, "{},{owner},{}", account.id, account.opened)?;
    }
    Ok(csv)
}

fn actors(network: &Network) -> Result<String, std::fmt::Error> {
    let mut csv = String::from("id,kind,since,domicile\n");
    for actor in &network.actors {
        let kind = match actor.kind {
            ActorKind::Individual => "individual",
            ActorKind::LegalEntity => "legal-entity",
        };
        writeln!(csv, "{},{kind},{},{}", actor.id, actor.since, actor.domicile)?;
    }
    Ok(csv)
}

fn facts(network: &Network) -> Result<String, std::fmt::Error> {
    let mut csv = String::from("about,fact,what\n");
    for fact in &network.facts {
        match fact {
            Fact::HasPhone { actor, phone } => writeln!(csv, "{actor},has-phone,phone-{phone:05}"),
            Fact::HasAddress { actor, address } => writeln!(csv, "{actor},has-address,address-{address:05}"),
            Fact::SignedIn { account, device } => writeln!(csv, "{account},signed-in-from,device-{device:05}"),
            Fact::Holds { party, account } => writeln!(csv, "{party},holds-account,{account}"),
            Fact::Owns { owner, owned } => writeln!(csv, "{owner},owns,{owned}"),
            Fact::Assessed { party, kind, holds, turn: _ } => writeln!(csv, "{party},assessed,{}={holds}", kind.name()),
            Fact::Counterparty { payment, party } => writeln!(csv, "{payment},involves,{party}"),
            Fact::Country { payment, code } => writeln!(csv, "{payment},names-country,{code}"),
        }?;
    }
    Ok(csv)
}

fn look_alikes(network: &Network) -> Result<String, std::fmt::Error> {
    let mut csv = String::from("payment,kind,resembles,event\n");
    for (event, look_alike) in network.look_alikes.iter().enumerate() {
        for payment in &look_alike.payments {
            writeln!(csv, "{payment},{:?},{},{event}", look_alike.kind, look_alike.kind.resembles().name())?;
        }
    }
    Ok(csv)
}
