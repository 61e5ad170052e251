// What belongs to cases: files, requests for data and the schemas of their types, custom properties that are defined.
CREATE CONSTRAINT file_id IF NOT EXISTS FOR (n:File) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT request_for_data_id IF NOT EXISTS FOR (n:RequestForData) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT request_for_data_schema_id IF NOT EXISTS FOR (n:RequestForDataSchema) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT custom_property_id IF NOT EXISTS FOR (n:CustomProperty) REQUIRE n.id IS UNIQUE;
CREATE INDEX request_for_data_schema_created_at IF NOT EXISTS FOR (n:RequestForDataSchema) ON (n.createdAt);
CREATE INDEX custom_property_created_at IF NOT EXISTS FOR (n:CustomProperty) ON (n.createdAt);
MATCH (w:Workflow) WHERE w.createdAt IS NULL SET w.createdAt = 0;
