-- CreateTable
CREATE TABLE "project_webhook_secrets" (
    "project_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "earlier" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "project_webhook_secrets_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "workflow_calls" (
    "project_id" TEXT NOT NULL,
    "execution_id" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "claim" TEXT,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "request" TEXT,

    CONSTRAINT "workflow_calls_pkey" PRIMARY KEY ("project_id","execution_id")
);

-- CreateIndex
CREATE INDEX "workflow_calls_project_id_due_at_idx" ON "workflow_calls"("project_id", "due_at");

-- AddForeignKey
ALTER TABLE "project_webhook_secrets" ADD CONSTRAINT "project_webhook_secrets_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_calls" ADD CONSTRAINT "workflow_calls_project_id_execution_id_fkey" FOREIGN KEY ("project_id", "execution_id") REFERENCES "workflow_executions"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
