mod flow_totals;
mod foresight;
mod roll_up;
