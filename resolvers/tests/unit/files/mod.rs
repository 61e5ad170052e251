mod kind;
mod macros;
mod name;
mod stray;
mod text;
mod told;
