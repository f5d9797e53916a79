-- CreateEnum
CREATE TYPE "job_kind" AS ENUM ('import', 'bulk');

-- CreateEnum
CREATE TYPE "job_state" AS ENUM ('waiting', 'active', 'completed', 'failed', 'cancelled');

-- CreateTable
CREATE TABLE "jobs" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "kind" "job_kind" NOT NULL,
    "state" "job_state" NOT NULL DEFAULT 'waiting',
    "input" JSONB NOT NULL,
    "place" JSONB,
    "progress" SMALLINT NOT NULL DEFAULT 0,
    "result" JSONB,
    "failed_reason" TEXT,
    "holder" TEXT,
    "tries" SMALLINT NOT NULL DEFAULT 0,
    "progress_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "job_file_parts" (
    "project_id" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "part" SMALLINT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "job_file_parts_pkey" PRIMARY KEY ("project_id","job_id","part")
);

-- CreateIndex
CREATE INDEX "jobs_finished_at_idx" ON "jobs"("finished_at");
