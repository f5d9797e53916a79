-- What the steps of a version of a workflow ask: it is in use while executions are on it, or start on it. Null in versions from before.
ALTER TABLE "workflow_versions" ADD COLUMN     "asks" TEXT[];
