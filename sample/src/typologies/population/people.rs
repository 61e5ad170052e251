//! People: what they live on, where they live, whom they know.

use super::Population;
use crate::typologies::draw::{Draw, Weighted, units};
use crate::typologies::network::{AccountId, Cents};

/// What a person lives on.
#[derive(Clone, Copy)]
pub(in crate::typologies) enum Income {
    Salary {
        employer: AccountId,
    },
    Pension,
    Benefit,
    /// Invoices to companies and marketplaces.
    Freelance,
    /// An allowance of the parents.
    Student {
        parent: AccountId,
    },
}

/// How a person lives.
#[derive(Clone, Copy)]
pub(in crate::typologies) enum Home {
    Rented {
        landlord: AccountId,
        rent: Cents,
    },
    Mortgaged {
        lender: AccountId,
        instalment: Cents,
    },
    /// With a partner, to whom a share of the costs is paid.
    Shared {
        partner: AccountId,
        share: Cents,
    },
    Owned,
}

/// A person with a current account.
#[derive(Clone)]
pub(in crate::typologies) struct Person {
    pub account: AccountId,
    pub savings: Option<AccountId>,
    pub income: Income,
    /// What comes in a month.
    pub monthly: Cents,
    pub home: Home,
    /// Places among the people.
    pub friends: Vec<usize>,
    /// Places among the shops.
    pub shops: Vec<usize>,
    /// How much is bought beside what is due anyway.
    pub activity: f64,
}

/// Adds people until there are so many accounts.
pub(super) fn add(population: &mut Population, accounts: usize, draw: &mut Draw) {
    let mut places = Vec::new();
    while population.owners.len() < accounts {
        let account = population.individual(draw);
        let savings = (population.owners.len() < accounts && draw.chance(0.2)).then(|| {
            let opened = population.opened[account.0 as usize] + draw.day(0..=150);
            population.add(population.owner(account), opened)
        });
        places.push((account, savings));
    }
    let employers = Employers::new(population, draw);
    let popular = Weighted::zipf(population.companies.shops.len(), 0.9);
    for (place, &(account, savings)) in places.iter().enumerate() {
        let income = income(draw, place, &places, &employers);
        let monthly = monthly(income, draw);
        let shops = (0..draw.count(3..=12)).map(|_| popular.draw(draw)).collect();
        let friends = friends(place, places.len(), draw);
        let home = home(population, &places, place, monthly, draw);
        let activity = draw.log_normal(1.0, 0.8);
        population.people.push(Person { account, savings, income, monthly, home, friends, shops, activity });
    }
}

/// Who employs whom: the large employers in proportion to their size, then the small companies.
struct Employers {
    /// One entry a position.
    positions: Vec<AccountId>,
    small: Vec<AccountId>,
}

/// Of a hundred people so many are employees.
const EMPLOYEES_PERCENT: usize = 68;

impl Employers {
    fn new(population: &Population, draw: &mut Draw) -> Self {
        let companies = &population.companies;
        let mut positions = Vec::new();
        for (rank, employer) in companies.employers.iter().enumerate() {
            let employees = (300.0 * (rank as f64 + 1.0).powf(-0.85)).max(20.0) as usize;
            positions.extend(std::iter::repeat_n(employer.account, employees));
        }
        draw.shuffle(&mut positions);
        Self { positions, small: companies.small_accounts.clone() }
    }
}

fn income(draw: &mut Draw, place: usize, places: &[(AccountId, Option<AccountId>)], employers: &Employers) -> Income {
    // Kinds are spread over the people by their place, so that positions are filled one after another.
    match place * 37 % 100 {
        kind if kind < EMPLOYEES_PERCENT => {
            let filled = place / 100 * EMPLOYEES_PERCENT + kind;
            let employer = employers.positions.get(filled).copied().unwrap_or_else(|| draw.pick(&employers.small));
            Income::Salary { employer }
        }
        kind if kind < 85 => Income::Pension,
        kind if kind < 90 => Income::Benefit,
        kind if kind < 94 => Income::Freelance,
        _ => Income::Student { parent: places[(place + places.len() - draw.count(1..=40).min(places.len() - 1)) % places.len()].0 },
    }
}

fn monthly(income: Income, draw: &mut Draw) -> Cents {
    match income {
        Income::Salary { .. } => draw.amount(2_350.0, 0.38, 900.0..=14_000.0),
        Income::Pension => draw.amount(1_450.0, 0.3, 500.0..=4_500.0),
        Income::Benefit => draw.amount(1_050.0, 0.2, 563.0..=2_200.0),
        Income::Freelance => draw.amount(2_600.0, 0.5, 700.0..=14_000.0),
        Income::Student { .. } => units((draw.real(8.0..=20.0)).round() * 50.0),
    }
}

fn home(population: &Population, places: &[(AccountId, Option<AccountId>)], place: usize, monthly: Cents, draw: &mut Draw) -> Home {
    let companies = &population.companies;
    let partner = place % 2 == 1 && draw.chance(0.45);
    if partner {
        return Home::Shared { partner: places[place - 1].0, share: monthly.share(draw.real(0.15..=0.35)).rounded(50) };
    }
    match draw.real(0.0..=1.0) {
        share if share < 0.58 => {
            let landlord = if draw.chance(0.7) {
                draw.pick(&companies.landlords)
            } else {
                // A tenth of the people let the rest of the flats.
                places[draw.count(0..=places.len() / 10) * 10 % places.len()].0
            };
            let rent = monthly.share(draw.real(0.22..=0.42));
            let rent = if draw.chance(0.6) { rent.rounded(10) } else { rent };
            if landlord == places[place].0 { Home::Owned } else { Home::Rented { landlord, rent } }
        }
        share if share < 0.75 => Home::Mortgaged { lender: draw.pick(&companies.lenders), instalment: monthly.share(draw.real(0.2..=0.45)) },
        _ => Home::Owned,
    }
}

/// Friends are mostly neighbours, as in a small world (Watts and Strogatz 1998).
fn friends(place: usize, people: usize, draw: &mut Draw) -> Vec<usize> {
    let number = draw.count(2..=7);
    let friend = |_| if draw.chance(0.8) { (place + draw.count(1..=25)) % people } else { draw.count(0..=people - 1) };
    let mut friends: Vec<usize> = (0..number).map(friend).collect();
    friends.retain(|&friend| friend != place);
    friends
}
