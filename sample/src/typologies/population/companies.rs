//! Companies, associations and public bodies.

use super::{Population, Sizes};
use crate::typologies::draw::{Draw, units};
use crate::typologies::network::{AccountId, Cents};

/// A company, its employees aside.
#[derive(Clone)]
pub(in crate::typologies) struct Company {
    pub account: AccountId,
    /// The usual amount of an invoice that it writes.
    pub invoice: f64,
    pub suppliers: Vec<AccountId>,
    pub landlord: Option<AccountId>,
    /// The foreign currency of some of its suppliers.
    pub imports: bool,
}

/// A shop with many customers.
#[derive(Clone)]
pub(in crate::typologies) struct Shop {
    pub account: AccountId,
    /// The median of what a customer spends, in units.
    pub ticket: f64,
    /// The median of the takings that it brings to the bank; `None` where nobody pays cash.
    pub takings: Option<Cents>,
    pub wholesalers: Vec<AccountId>,
}

/// All of them, by trade.
#[derive(Default)]
pub(in crate::typologies) struct Companies {
    pub tax_office: Vec<AccountId>,
    pub social_insurance: Vec<AccountId>,
    pub lenders: Vec<AccountId>,
    pub utilities: Vec<AccountId>,
    pub shops: Vec<Shop>,
    pub marketplaces: Vec<AccountId>,
    /// Employers of 20 to 300, the largest first.
    pub employers: Vec<Company>,
    /// Workshops, offices, practices.
    pub small: Vec<Company>,
    /// The accounts of the small companies, in their order.
    pub small_accounts: Vec<AccountId>,
    pub wholesalers: Vec<AccountId>,
    pub producers: Vec<AccountId>,
    pub landlords: Vec<AccountId>,
    pub letting_agents: Vec<AccountId>,
    /// Parents, each with its subsidiaries.
    pub groups: Vec<(AccountId, Vec<AccountId>)>,
    pub charities: Vec<AccountId>,
    pub clubs: Vec<AccountId>,
    pub payroll_agencies: Vec<AccountId>,
    pub notaries: Vec<AccountId>,
    pub travel_agencies: Vec<AccountId>,
    pub seasonal: Vec<AccountId>,
    pub start_ups: Vec<AccountId>,
}

impl Companies {
    pub(super) fn new(population: &mut Population, sizes: &Sizes, draw: &mut Draw) -> Self {
        let mut some = |draw: &mut Draw, number: usize| -> Vec<AccountId> { (0..number).map(|_| population.company(draw)).collect() };
        let mut companies = Self {
            tax_office: some(draw, 1),
            social_insurance: some(draw, 1),
            lenders: some(draw, 2),
            utilities: some(draw, sizes.per_mille(2).max(4)),
            marketplaces: some(draw, 3),
            wholesalers: some(draw, sizes.per_mille(5).max(4)),
            producers: some(draw, sizes.per_mille(3).max(4)),
            landlords: some(draw, sizes.per_mille(3).max(4)),
            letting_agents: some(draw, 3),
            charities: some(draw, sizes.per_mille(2).max(3)),
            clubs: some(draw, sizes.per_mille(3).max(4)),
            payroll_agencies: some(draw, 2),
            notaries: some(draw, 6),
            travel_agencies: some(draw, 6),
            seasonal: some(draw, sizes.per_mille(3).max(4)),
            start_ups: some(draw, sizes.per_mille(2).max(4)),
            ..Self::default()
        };
        companies.groups = (0..6).map(|_| (population.company(draw), (0..3).map(|_| population.company(draw)).collect())).collect();
        companies.add_shops(population, sizes.per_mille(26).max(10), draw);
        companies.add_trade(population, sizes, draw);
        companies
    }

    fn add_shops(&mut self, population: &mut Population, number: usize, draw: &mut Draw) {
        for _ in 0..number {
            let account = population.company(draw);
            let takings = draw.chance(0.45).then(|| units(draw.log_normal(2_600.0, 0.6)));
            let count = draw.count(1..=4);
            let wholesalers = draw.several(&self.wholesalers, count);
            self.shops.push(Shop { account, ticket: draw.log_normal(32.0, 0.7), takings, wholesalers });
        }
    }

    /// Employers and small companies, which buy from one another.
    fn add_trade(&mut self, population: &mut Population, sizes: &Sizes, draw: &mut Draw) {
        let employers: Vec<AccountId> = (0..sizes.per_mille(12).max(4)).map(|_| population.company(draw)).collect();
        let small: Vec<AccountId> = (0..sizes.per_mille(72).max(10)).map(|_| population.company(draw)).collect();
        let sellers: Vec<AccountId> = [&employers, &small, &self.wholesalers, &self.producers].into_iter().flatten().copied().collect();
        let company = |draw: &mut Draw, account: AccountId, suppliers: usize, invoice: f64| {
            let mut suppliers = draw.several(&sellers, suppliers);
            suppliers.retain(|&supplier| supplier != account);
            let landlord = draw.chance(0.7).then(|| draw.pick(&self.landlords));
            Company { account, invoice: draw.log_normal(invoice, 0.8), suppliers, landlord, imports: draw.chance(0.15) }
        };
        let of = |draw: &mut Draw, accounts: &[AccountId], most: usize, invoice: f64| -> Vec<Company> {
            let companies = accounts.iter().map(|&account| {
                let suppliers = draw.count(1..=most);
                company(draw, account, suppliers, invoice)
            });
            companies.collect()
        };
        self.employers = of(draw, &employers, 10, 4_200.0);
        self.small = of(draw, &small, 5, 900.0);
        self.small_accounts = small;
    }
}
