// Segmentation, users, and the names of which there may be one only. Users have their constraint since there are cases.
CREATE CONSTRAINT segmentation_category_id IF NOT EXISTS FOR (n:SegmentationCategory) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT segmentation_group_id IF NOT EXISTS FOR (n:SegmentationGroup) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT unique_name_id IF NOT EXISTS FOR (n:UniqueName) REQUIRE n.id IS UNIQUE;
CREATE INDEX segmentation_category_created_at IF NOT EXISTS FOR (n:SegmentationCategory) ON (n.createdAt);
CREATE INDEX segmentation_group_created_at IF NOT EXISTS FOR (n:SegmentationGroup) ON (n.createdAt);
CREATE INDEX user_created_at IF NOT EXISTS FOR (n:User) ON (n.createdAt);
