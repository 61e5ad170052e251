//! Files of cases, given out: not of the document, and outside `/api`.

mod download_file;

crate::operation::operations!(download_file);
