//! Files of lists to screen against, taken in to be imported: not of the document, and outside `/api`.

mod upload_list;

crate::operation::operations!(upload_list);

/// It takes its body in while it comes.
pub(crate) const UPLOAD: crate::Operation = upload_list::OPERATION;
