mod address;
mod registry;
mod secret;
