mod change;
mod credentials;
mod memory;
mod states;
