//! What logs say of a store's error. Its own text has paths in it, and they end with ids of files.

use std::error::Error as _;
use std::io;

use object_store::Error;

/// Its kind, and that of the system's error below it, such as that a disk is full.
pub fn told(error: &Error) -> String {
    let mut below = std::iter::successors(error.source(), |&below| below.source());
    match below.find_map(|below| below.downcast_ref::<io::Error>()).map(io::Error::kind) {
        Some(system) => format!("{}, {system:?}", kind(error)),
        None => kind(error).to_owned(),
    }
}

fn kind(error: &Error) -> &'static str {
    match error {
        Error::Generic { .. } => "Generic",
        Error::NotFound { .. } => "NotFound",
        Error::InvalidPath { .. } => "InvalidPath",
        Error::NotSupported { .. } => "NotSupported",
        Error::AlreadyExists { .. } => "AlreadyExists",
        Error::Precondition { .. } => "Precondition",
        Error::NotModified { .. } => "NotModified",
        Error::NotImplemented { .. } => "NotImplemented",
        Error::PermissionDenied { .. } => "PermissionDenied",
        Error::Unauthenticated { .. } => "Unauthenticated",
        _ => "of another kind",
    }
}
