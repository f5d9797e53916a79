-- CreateEnum
CREATE TYPE "campaign_status" AS ENUM ('DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED');

-- CreateEnum
CREATE TYPE "campaign_audience" AS ENUM ('ALL', 'SEGMENT', 'FILTERED');

-- CreateEnum
CREATE TYPE "campaign_stage" AS ENUM ('CLEAR', 'SNAPSHOT', 'DELIVER', 'CANCEL', 'ERASE');

-- CreateEnum
CREATE TYPE "exclusion_reason" AS ENUM ('UNSUBSCRIBED', 'BOUNCED', 'COMPLAINED', 'SUPPRESSED');

-- AlterTable
ALTER TABLE "emails" ADD COLUMN     "campaign_id" TEXT;

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "campaign_id" TEXT;

-- CreateTable
CREATE TABLE "campaigns" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "subject" TEXT NOT NULL,
    "preview_text" TEXT,
    "body" TEXT NOT NULL,
    "from" TEXT NOT NULL,
    "from_name" TEXT,
    "reply_to" TEXT,
    "type" "mail_type" NOT NULL DEFAULT 'MARKETING',
    "audience_type" "campaign_audience" NOT NULL,
    "segment_id" TEXT,
    "audience_filter" JSON,
    "source_id" TEXT,
    "source_outcome" TEXT,
    "status" "campaign_status" NOT NULL DEFAULT 'DRAFT',
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "max_per_hour" INTEGER,
    "scheduled_for" TIMESTAMPTZ(3),
    "status_reason" TEXT,
    "stage" "campaign_stage",
    "wake_at" TIMESTAMPTZ(3),
    "content_id" TEXT,
    "done_up_to" TEXT NOT NULL DEFAULT '',
    "last_contact" TEXT NOT NULL DEFAULT '',
    "queued_up_to" TEXT NOT NULL DEFAULT '',
    "pace_tokens" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "pace_at" TIMESTAMPTZ(3),
    "held" BOOLEAN NOT NULL DEFAULT false,
    "total_recipients" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "charged_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "campaigns_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "campaign_exclusions" (
    "project_id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "reason" "exclusion_reason" NOT NULL,

    CONSTRAINT "campaign_exclusions_pkey" PRIMARY KEY ("project_id","campaign_id","contact_id")
);

-- CreateTable
CREATE TABLE "campaign_counts" (
    "project_id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "opened" INTEGER NOT NULL DEFAULT 0,
    "clicked" INTEGER NOT NULL DEFAULT 0,
    "machine_opened" INTEGER NOT NULL DEFAULT 0,
    "machine_clicked" INTEGER NOT NULL DEFAULT 0,
    "bounced" INTEGER NOT NULL DEFAULT 0,
    "complained" INTEGER NOT NULL DEFAULT 0,
    "unsubscribed" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "suppressed" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "campaign_counts_pkey" PRIMARY KEY ("project_id","campaign_id")
);

-- CreateIndex
CREATE INDEX "campaigns_wake_at_idx" ON "campaigns"("wake_at");

-- CreateIndex
CREATE INDEX "campaign_exclusions_project_id_contact_id_idx" ON "campaign_exclusions"("project_id", "contact_id");

-- AddForeignKey
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_exclusions" ADD CONSTRAINT "campaign_exclusions_project_id_contact_id_fkey" FOREIGN KEY ("project_id", "contact_id") REFERENCES "contacts"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
