mod moves;
mod plan;
