use std::io;

use object_store::Error;
use resolvers::testing::files::told::told;

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
