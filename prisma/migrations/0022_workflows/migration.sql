-- CreateEnum
CREATE TYPE "workflow_trigger_type" AS ENUM ('EVENT', 'MANUAL');

-- CreateEnum
CREATE TYPE "workflow_step_type" AS ENUM ('SEND_EMAIL', 'DELAY', 'WAIT_FOR_EVENT', 'CONDITION', 'WEBHOOK', 'UPDATE_CONTACT', 'EXIT');

-- CreateEnum
CREATE TYPE "workflow_execution_status" AS ENUM ('RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "workflow_step_status" AS ENUM ('RUNNING', 'WAITING', 'COMPLETED', 'FAILED', 'CANCELLED');

-- CreateTable
CREATE TABLE "workflows" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT false,
    "trigger_type" "workflow_trigger_type" NOT NULL DEFAULT 'EVENT',
    "event_name" TEXT,
    "exit_events" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "allow_reentry" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 0,
    "issues" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workflows_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "workflow_steps" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "workflow_id" TEXT NOT NULL,
    "type" "workflow_step_type" NOT NULL,
    "name" TEXT NOT NULL,
    "x" DOUBLE PRECISION NOT NULL,
    "y" DOUBLE PRECISION NOT NULL,
    "config" JSON NOT NULL,
    "template_id" TEXT,
    "asks" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "segment_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workflow_steps_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "workflow_transitions" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "workflow_id" TEXT NOT NULL,
    "from_step_id" TEXT NOT NULL,
    "to_step_id" TEXT NOT NULL,
    "branch" TEXT NOT NULL DEFAULT '',
    "priority" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workflow_transitions_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "workflow_versions" (
    "project_id" TEXT NOT NULL,
    "workflow_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "graph" JSONB NOT NULL,
    "used" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workflow_versions_pkey" PRIMARY KEY ("project_id","workflow_id","version")
);

-- CreateTable
CREATE TABLE "workflow_entries" (
    "project_id" TEXT NOT NULL,
    "workflow_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "execution_id" TEXT,
    "hour_at" TIMESTAMPTZ(3) NOT NULL,
    "starts" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "workflow_entries_pkey" PRIMARY KEY ("project_id","workflow_id","contact_id")
);

-- CreateTable
CREATE TABLE "workflow_executions" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "workflow_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "contact_id" TEXT NOT NULL,
    "status" "workflow_execution_status" NOT NULL DEFAULT 'RUNNING',
    "current_step_id" TEXT,
    "context" JSONB,
    "depth" SMALLINT NOT NULL DEFAULT 0,
    "started_by" TEXT,
    "reason" TEXT,
    "wake_at" TIMESTAMPTZ(3),
    "waits_for" TEXT,
    "claim" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workflow_executions_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "workflow_step_executions" (
    "project_id" TEXT NOT NULL,
    "execution_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "step_id" TEXT NOT NULL,
    "status" "workflow_step_status" NOT NULL,
    "input" JSONB,
    "output" JSONB,
    "error" TEXT,
    "branch" TEXT,
    "attempts" SMALLINT NOT NULL DEFAULT 1,
    "scheduled_for" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "workflow_step_executions_pkey" PRIMARY KEY ("project_id","execution_id","id")
);

-- CreateTable
CREATE TABLE "workflow_step_counts" (
    "project_id" TEXT NOT NULL,
    "workflow_id" TEXT NOT NULL,
    "step_id" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "entered" BIGINT NOT NULL DEFAULT 0,
    "completed" BIGINT NOT NULL DEFAULT 0,
    "failed" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "workflow_step_counts_pkey" PRIMARY KEY ("project_id","workflow_id","step_id","slot")
);

-- CreateIndex
CREATE INDEX "workflow_steps_project_id_template_id_idx" ON "workflow_steps"("project_id", "template_id");

-- CreateIndex
CREATE UNIQUE INDEX "workflow_steps_project_id_workflow_id_id_key" ON "workflow_steps"("project_id", "workflow_id", "id");

-- CreateIndex
CREATE INDEX "workflow_transitions_project_id_workflow_id_to_step_id_idx" ON "workflow_transitions"("project_id", "workflow_id", "to_step_id");

-- CreateIndex
CREATE UNIQUE INDEX "workflow_transitions_project_id_workflow_id_from_step_id_br_key" ON "workflow_transitions"("project_id", "workflow_id", "from_step_id", "branch");

-- CreateIndex
CREATE INDEX "workflow_entries_project_id_contact_id_idx" ON "workflow_entries"("project_id", "contact_id");

-- CreateIndex
CREATE INDEX "workflow_executions_project_id_workflow_id_id_idx" ON "workflow_executions"("project_id", "workflow_id", "id");

-- CreateIndex
CREATE INDEX "workflow_executions_project_id_workflow_id_status_id_idx" ON "workflow_executions"("project_id", "workflow_id", "status", "id");

-- CreateIndex
CREATE INDEX "workflow_executions_project_id_contact_id_id_idx" ON "workflow_executions"("project_id", "contact_id", "id");

-- AddForeignKey
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_steps" ADD CONSTRAINT "workflow_steps_project_id_workflow_id_fkey" FOREIGN KEY ("project_id", "workflow_id") REFERENCES "workflows"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_steps" ADD CONSTRAINT "workflow_steps_project_id_template_id_fkey" FOREIGN KEY ("project_id", "template_id") REFERENCES "templates"("project_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "workflow_transitions" ADD CONSTRAINT "workflow_transitions_project_id_workflow_id_fkey" FOREIGN KEY ("project_id", "workflow_id") REFERENCES "workflows"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_transitions" ADD CONSTRAINT "workflow_transitions_project_id_workflow_id_from_step_id_fkey" FOREIGN KEY ("project_id", "workflow_id", "from_step_id") REFERENCES "workflow_steps"("project_id", "workflow_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_transitions" ADD CONSTRAINT "workflow_transitions_project_id_workflow_id_to_step_id_fkey" FOREIGN KEY ("project_id", "workflow_id", "to_step_id") REFERENCES "workflow_steps"("project_id", "workflow_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_project_id_workflow_id_fkey" FOREIGN KEY ("project_id", "workflow_id") REFERENCES "workflows"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_entries" ADD CONSTRAINT "workflow_entries_project_id_contact_id_fkey" FOREIGN KEY ("project_id", "contact_id") REFERENCES "contacts"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_executions" ADD CONSTRAINT "workflow_executions_project_id_contact_id_fkey" FOREIGN KEY ("project_id", "contact_id") REFERENCES "contacts"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_step_executions" ADD CONSTRAINT "workflow_step_executions_project_id_execution_id_fkey" FOREIGN KEY ("project_id", "execution_id") REFERENCES "workflow_executions"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
