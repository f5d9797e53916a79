-- AlterTable
ALTER TABLE "log_readers" ADD COLUMN     "failures" SMALLINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "log_lines_set_aside" (
    "reader" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "error" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "log_lines_set_aside_pkey" PRIMARY KEY ("project_id","id","reader")
);
