-- CreateEnum
CREATE TYPE "suppression_source" AS ENUM ('DELIVERY', 'API', 'IMPORT');

-- AlterEnum
ALTER TYPE "suppression_reason" ADD VALUE 'UNSUBSCRIBED' BEFORE 'BOUNCE';
ALTER TYPE "suppression_reason" ADD VALUE 'MANUAL' BEFORE 'BOUNCE';

-- AlterTable
ALTER TABLE "contacts" ADD COLUMN     "opted_out" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "suppressions" ADD COLUMN     "source" "suppression_source" NOT NULL DEFAULT 'DELIVERY';

-- CreateTable
CREATE TABLE "contact_counts" (
    "project_id" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "contact_counts_pkey" PRIMARY KEY ("project_id","slot")
);

-- CreateTable
CREATE TABLE "email_counts" (
    "project_id" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "email_counts_pkey" PRIMARY KEY ("project_id","slot")
);

-- CreateTable
CREATE TABLE "event_totals" (
    "project_id" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "event_totals_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "opt_outs" (
    "project_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "opt_outs_pkey" PRIMARY KEY ("project_id","hash")
);
