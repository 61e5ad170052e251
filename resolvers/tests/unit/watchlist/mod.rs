mod entry;
mod request;
