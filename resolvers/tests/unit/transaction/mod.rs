mod foresight;
mod roll_up;
