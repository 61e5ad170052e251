//! What logs say of a store's error. Its own text has paths in it, and they end with ids of files.

use std::error::Error as _;
use std::io;

use object_store::Error;

/// Its kind, and that of the system's error below it, such as that a disk is full.
pub(super) fn told(error: &Error) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_is_told() {
        const PATH: &str = "files/0198c0de-0000-7000-8000-000000000001";
        let system = |kind| Box::new(io::Error::new(kind, PATH));
        let not_found = || Error::NotFound { path: PATH.to_owned(), source: system(io::ErrorKind::NotFound) };
        let errors = [
            (not_found(), "NotFound, NotFound"),
            (Error::Generic { store: "LocalFileSystem", source: system(io::ErrorKind::StorageFull) }, "Generic, StorageFull"),
            (Error::Generic { store: "LocalFileSystem", source: Box::new(not_found()) }, "Generic, NotFound"),
            (Error::Generic { store: "S3", source: PATH.into() }, "Generic"),
            (Error::PermissionDenied { path: PATH.to_owned(), source: PATH.into() }, "PermissionDenied"),
        ];
        for (error, wanted) in errors {
            assert_eq!(told(&error), wanted, "{error}");
        }
    }
}
