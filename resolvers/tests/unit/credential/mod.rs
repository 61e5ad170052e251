mod guesses;
mod secret;
