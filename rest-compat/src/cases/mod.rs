//! Cases, and the actors they are about.

mod add_actor_to_case;
mod add_communication_to_case;
mod create_case;
mod get_case;
mod get_cases;
mod get_custom_properties;
mod get_workflows;
mod update_case;
mod update_case_actor;
mod update_case_actors;
mod update_case_earlier;
mod upload_file;

crate::operation::operations!(
    get_cases,
    create_case,
    update_case_earlier,
    get_case,
    update_case,
    add_actor_to_case,
    update_case_actors,
    update_case_actor,
    add_communication_to_case,
    upload_file,
    get_workflows,
    get_custom_properties,
);

/// The one that takes its body in while it comes.
pub(crate) const UPLOAD: crate::Operation = upload_file::OPERATION;
