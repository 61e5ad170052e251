mod change_set;
mod crowds;
mod pace;
mod writes;
