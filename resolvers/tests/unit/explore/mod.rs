mod counted;
mod place;
mod places;
mod shared_lists;
