-- The segments that a version of a workflow asks for: they are not deleted while executions are on it, or start on it. Null in versions from before.
alter table "workflow_versions" add column "segment_ids" text[];
