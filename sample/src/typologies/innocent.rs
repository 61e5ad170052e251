//! The look-alikes: what they are, and why they are innocent.

use super::network::Typology;

/// A kind of innocent payments that look like a typology.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Innocent {
    ShopTakings,
    SaleForCash,
    RentAfterSalary,
    NotaryEscrow,
    SavingsForCar,
    ShopCustomers,
    CharityCampaign,
    GroupGift,
    RentRoll,
    SalaryRun,
    TravelRefunds,
    PayrollAgency,
    LettingAgent,
    TripOrganiser,
    CompanyHousing,
    SubsidisedTrip,
    SupplyChain,
    FriendsSplitting,
    TradingBothWays,
    CashPooling,
    SeasonalBusiness,
    TaxRefund,
    SavingsSpent,
    HolidayShopping,
    HousePurchase,
    CashWithdrawals,
    StandingOrders,
    StartUp,
    StudentAccount,
    BankSwitcher,
    FamilySupport,
    SmallImports,
    ClearedNamesake,
    RentToPep,
    FormerPep,
    FlatShare,
    LodgingHouse,
    GroupInvoices,
    DistantStake,
}

impl Innocent {
    pub const ALL: [Self; 39] = [
        Self::ShopTakings,
        Self::SaleForCash,
        Self::RentAfterSalary,
        Self::NotaryEscrow,
        Self::SavingsForCar,
        Self::ShopCustomers,
        Self::CharityCampaign,
        Self::GroupGift,
        Self::RentRoll,
        Self::SalaryRun,
        Self::TravelRefunds,
        Self::PayrollAgency,
        Self::LettingAgent,
        Self::TripOrganiser,
        Self::CompanyHousing,
        Self::SubsidisedTrip,
        Self::SupplyChain,
        Self::FriendsSplitting,
        Self::TradingBothWays,
        Self::CashPooling,
        Self::SeasonalBusiness,
        Self::TaxRefund,
        Self::SavingsSpent,
        Self::HolidayShopping,
        Self::HousePurchase,
        Self::CashWithdrawals,
        Self::StandingOrders,
        Self::StartUp,
        Self::StudentAccount,
        Self::BankSwitcher,
        Self::FamilySupport,
        Self::SmallImports,
        Self::ClearedNamesake,
        Self::RentToPep,
        Self::FormerPep,
        Self::FlatShare,
        Self::LodgingHouse,
        Self::GroupInvoices,
        Self::DistantStake,
    ];

    /// The typology that it looks like.
    pub fn resembles(self) -> Typology {
        match self {
            Self::ShopTakings | Self::SaleForCash => Typology::Structuring,
            Self::RentAfterSalary | Self::NotaryEscrow | Self::SavingsForCar => Typology::RapidPassThrough,
            Self::ShopCustomers | Self::CharityCampaign | Self::GroupGift | Self::RentRoll => Typology::FanIn,
            Self::SalaryRun | Self::TravelRefunds => Typology::FanOut,
            Self::PayrollAgency | Self::LettingAgent | Self::TripOrganiser => Typology::GatherScatter,
            Self::CompanyHousing | Self::SubsidisedTrip => Typology::ScatterGather,
            Self::SupplyChain => Typology::StackedLayers,
            Self::FriendsSplitting | Self::TradingBothWays | Self::CashPooling => Typology::RoundTrip,
            Self::SeasonalBusiness | Self::TaxRefund | Self::SavingsSpent => Typology::DormantAwakened,
            Self::HolidayShopping | Self::HousePurchase => Typology::VelocityBurst,
            Self::CashWithdrawals | Self::StandingOrders => Typology::RoundAmounts,
            Self::StartUp | Self::StudentAccount | Self::BankSwitcher => Typology::NewAccountTurnover,
            Self::FamilySupport | Self::SmallImports => Typology::HighRiskCountry,
            Self::ClearedNamesake => Typology::SanctionedCounterparty,
            Self::RentToPep | Self::FormerPep => Typology::PepCounterparty,
            Self::FlatShare | Self::LodgingHouse => Typology::MuleRing,
            Self::GroupInvoices | Self::DistantStake => Typology::LayeredOwnership,
        }
    }

    /// Why the payments are innocent.
    pub fn reason(self) -> &'static str {
        match self {
            Self::ShopTakings => {
                "A shop deposits its takings. The amounts follow the sales: most are far below the reporting threshold, some above it."
            }
            Self::SaleForCash => "A person sold a car and deposits the price once; nothing was split.",
            Self::RentAfterSalary => {
                "A household pays rent and bills when the salary has come. The payees are the same each month, and part of the salary stays."
            }
            Self::NotaryEscrow => {
                "A notary holds the price of a house until the register is changed: one large payment in, one large payment out weeks later."
            }
            Self::SavingsForCar => "A person moves own savings to the current account and pays a dealer.",
            Self::ShopCustomers => "A shop has hundreds of payers all the time; each buys something small.",
            Self::CharityCampaign => "A charity asks for donations after a disaster: many small gifts from all over the population.",
            Self::GroupGift => "Colleagues give small amounts for a gift, and one of them buys it.",
            Self::RentRoll => "A landlord is paid by all tenants at the start of each month, the same amounts each time.",
            Self::SalaryRun => "An employer pays all salaries on one day of each month.",
            Self::TravelRefunds => "A travel agency pays back what customers had paid for a trip that was cancelled.",
            Self::PayrollAgency => "A payroll agency collects the wages from its clients and pays their employees, every month.",
            Self::LettingAgent => "A letting agent collects rents and passes them to the owners of the flats less a fee, every month.",
            Self::TripOrganiser => "One of a group of friends collects everybody's share of a trip and pays hotel, bus and tickets.",
            Self::CompanyHousing => "Employees of one employer rent from one landlord; the rent is a third of the salary.",
            Self::SubsidisedTrip => "A club pays families a subsidy for a trip, and they pay the travel agency far more than that.",
            Self::SupplyChain => "Shops pay several wholesalers, which pay several producers, week after week.",
            Self::FriendsSplitting => "Friends share the costs of evenings: small amounts that differ, in all directions.",
            Self::TradingBothWays => "Two companies buy from each other over months; invoices differ in amount and month.",
            Self::CashPooling => "A parent collects its subsidiaries' surplus each week and funds them each month, under one owner's treasury.",
            Self::SeasonalBusiness => "A business rests for months and then has many small customers.",
            Self::TaxRefund => "An account that is hardly used gets the yearly tax refund, and the money stays.",
            Self::SavingsSpent => "A person takes the savings of years out of an account in one payment; nothing came in before.",
            Self::HolidayShopping => "A person makes many small purchases in shops within a few days.",
            Self::HousePurchase => "A buyer gathers loan and savings and pays the notary and the tax: few payments, to parties that are known.",
            Self::CashWithdrawals => "Machines pay out round amounts, and they are small.",
            Self::StandingOrders => "Rent, allowance and savings plan are round amounts on the same day of each month.",
            Self::StartUp => "A founded company gets its capital once and spends it over months on rent, wages and suppliers.",
            Self::StudentAccount => "A student from abroad deposits the year's living costs once and spends a twelfth a month.",
            Self::BankSwitcher => "A customer of another bank brings savings and salary along and goes on as before.",
            Self::FamilySupport => "A person supports the family at home: a little each month, which is a small part of the income.",
            Self::SmallImports => "An employer has one supplier in a country of high risk; its invoices are a small part of all.",
            Self::ClearedNamesake => "A counterparty has the name of a sanctioned person; it was looked into, and is somebody else.",
            Self::RentToPep => "A tenant's landlord is a politician; the rent is usual.",
            Self::FormerPep => "The seller of a car or a boat held an office years ago.",
            Self::FlatShare => "Flatmates pay the landlord each their part of the rent, a small part of what they receive.",
            Self::LodgingHouse => "Many workers have one address, a lodging house, and pay its owner.",
            Self::GroupInvoices => "Two subsidiaries of one parent write each other invoices; everybody knows that they belong together.",
            Self::DistantStake => "An investor has stakes in two companies through holdings, and they buy a little from one another.",
        }
    }
}
