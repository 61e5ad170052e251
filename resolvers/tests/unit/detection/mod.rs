mod below_the_line;
mod business_day;
mod cases;
mod precision;
mod scope;
mod tuning;
