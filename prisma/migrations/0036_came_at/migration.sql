-- AlterTable
-- When an execution came to its step: delays run from it.
ALTER TABLE "workflow_executions" ADD COLUMN     "came_at" TIMESTAMPTZ(3);
