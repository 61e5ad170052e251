mod awaited;
mod progress;
