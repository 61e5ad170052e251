//! Days, months and times of day. A day is counted from the first day of the network; days before it are negative.

use chrono::{Datelike, Days, NaiveDate, Weekday};

use super::draw::{Draw, Weighted};

const HOUR_MS: f64 = 3_600_000.0;
const DAY_MS: i64 = 86_400_000;

/// The time of day at which payments of a kind are made.
#[derive(Debug, Clone, Copy)]
pub(super) enum Hours {
    /// Early morning: batches of standing orders, direct debits and salaries.
    Batch,
    /// Office hours.
    Office,
    /// Shops are open: a small peak at noon and a large one after work.
    Shopping,
    /// At home: mostly in the evening.
    Home,
    /// Around the clock.
    Any,
}

/// The days of the network.
pub(super) struct Calendar {
    start: NaiveDate,
    days: i32,
    start_ms: i64,
    shopping: Weighted,
}

impl Calendar {
    pub fn new(start: NaiveDate, days: i32) -> Self {
        let start_ms = start.and_time(chrono::NaiveTime::MIN).and_utc().timestamp_millis();
        let mut calendar = Self { start, days, start_ms, shopping: Weighted::new([1.0]) };
        calendar.shopping = Weighted::new((0..days).map(|day| calendar.shopping_weight(day)));
        calendar
    }

    pub fn days(&self) -> i32 {
        self.days
    }

    pub fn date(&self, day: i32) -> NaiveDate {
        let distance = Days::new(u64::from(day.unsigned_abs()));
        if day < 0 { self.start - distance } else { self.start + distance }
    }

    /// The day of a time.
    pub fn day(&self, at: i64) -> i32 {
        (at - self.start_ms).div_euclid(DAY_MS) as i32
    }

    /// A time on a day.
    pub fn at(&self, day: i32, hours: Hours, draw: &mut Draw) -> i64 {
        self.start_ms + i64::from(day) * DAY_MS + hours.draw(draw)
    }

    pub fn is_business_day(&self, day: i32) -> bool {
        !matches!(self.date(day).weekday(), Weekday::Sat | Weekday::Sun)
    }

    /// The day itself or the next business day, where it is still in the network.
    pub fn business_day(&self, day: i32) -> Option<i32> {
        (day..day + 3).find(|&day| self.is_business_day(day)).filter(|&day| day < self.days)
    }

    /// The day of so many that a person shops on: more before the weekend and behind payday.
    pub fn shopping_day(&self, draw: &mut Draw) -> i32 {
        self.shopping.draw(draw) as i32
    }

    /// The day of each month, moved to the next business day. Days behind a month's end are its last.
    pub fn monthly(&self, day_of_month: u32) -> Vec<i32> {
        let months = (0..self.days).filter(|&day| {
            let date = self.date(day);
            let last = date.num_days_in_month();
            date.day() == day_of_month.min(u32::from(last))
        });
        months.filter_map(|day| self.business_day(day)).collect()
    }

    fn shopping_weight(&self, day: i32) -> f64 {
        let date = self.date(day);
        let weekday = match date.weekday() {
            Weekday::Mon | Weekday::Tue => 0.85,
            Weekday::Wed => 0.95,
            Weekday::Thu => 1.05,
            Weekday::Fri => 1.3,
            Weekday::Sat => 1.6,
            Weekday::Sun => 0.5,
        };
        let since_payday = if date.day() >= 27 { date.day() - 27 } else { date.day() + 3 };
        weekday * (1.0 + 0.35 * (-f64::from(since_payday) / 6.0).exp())
    }
}

impl Hours {
    /// Milliseconds since midnight.
    fn draw(self, draw: &mut Draw) -> i64 {
        let hour = match self {
            Self::Batch => draw.real(1.0..=5.5),
            Self::Office => draw.normal(12.5, 2.6).clamp(7.5, 18.9),
            Self::Shopping if draw.chance(0.35) => draw.normal(12.4, 1.3).clamp(8.0, 21.5),
            Self::Shopping => draw.normal(17.2, 2.3).clamp(8.0, 21.5),
            Self::Home if draw.chance(0.6) => draw.normal(20.0, 1.6).clamp(6.5, 23.9),
            Self::Home => draw.real(6.5..=23.0),
            Self::Any => draw.real(0.0..=23.9),
        };
        // The clamps would pile payments up on one millisecond.
        (hour * HOUR_MS) as i64 + draw.count(0..=240_000) as i64
    }
}
