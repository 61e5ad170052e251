//! Segmentation: categories, groups, the actors in them and their owners.

mod add_segmentation_group_actors;
mod answers;
mod create_segmentation_category;
mod create_segmentation_group;
mod get_all_segmentation_group_owners;
mod get_segmentation_categories;
mod get_segmentation_category;
mod get_segmentation_category_actors;
mod get_segmentation_group;
mod get_segmentation_group_actors;
mod get_segmentation_group_owners;
mod get_segmentation_groups;
mod get_segmentation_groups_of_actor;
mod remove_segmentation_group_actors;
mod remove_segmentation_group_owner;
mod set_segmentation_group_owner;
mod update_segmentation_category;
mod update_segmentation_group;

crate::operation::operations!(
    create_segmentation_category,
    get_segmentation_categories,
    get_segmentation_category,
    update_segmentation_category,
    get_segmentation_groups,
    get_segmentation_category_actors,
    create_segmentation_group,
    get_segmentation_group,
    update_segmentation_group,
    add_segmentation_group_actors,
    get_segmentation_group_actors,
    remove_segmentation_group_actors,
    get_segmentation_groups_of_actor,
    set_segmentation_group_owner,
    get_segmentation_group_owners,
    remove_segmentation_group_owner,
    get_all_segmentation_group_owners,
);
