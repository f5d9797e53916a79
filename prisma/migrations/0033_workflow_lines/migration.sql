-- AlterTable
ALTER TABLE "workflow_executions" ADD COLUMN     "rest_at" TIMESTAMPTZ(3),
ADD COLUMN     "rest_epoch" SMALLINT,
ADD COLUMN     "rest_id" TEXT,
ADD COLUMN     "rest_xid" xid8;

-- AlterTable
ALTER TABLE "workflow_versions" ADD COLUMN     "stripped" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "workflow_lines" (
    "project_id" TEXT NOT NULL,
    "place" BIGINT NOT NULL,
    "id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,

    CONSTRAINT "workflow_lines_pkey" PRIMARY KEY ("project_id","place")
);

-- CreateTable
CREATE TABLE "workflow_backlogs" (
    "project_id" TEXT NOT NULL,
    "epoch" SMALLINT NOT NULL,
    "xid" xid8 NOT NULL,
    "id" TEXT NOT NULL,

    CONSTRAINT "workflow_backlogs_pkey" PRIMARY KEY ("project_id")
);
