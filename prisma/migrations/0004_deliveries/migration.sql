-- CreateTable
CREATE TABLE "deliveries" (
    "project_id" TEXT NOT NULL,
    "email_id" TEXT NOT NULL,
    "lane" SMALLINT NOT NULL,
    "due" TIMESTAMPTZ(3),
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "worker" TEXT,
    "claim" TEXT,
    "reason" TEXT,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("project_id","email_id")
);

-- CreateTable
CREATE TABLE "delivery_workers" (
    "id" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "delivery_workers_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_project_id_email_id_fkey" FOREIGN KEY ("project_id", "email_id") REFERENCES "emails"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Emails that have not ended: an attempt under way at the time of the migration counts as not ended.
INSERT INTO "deliveries" ("project_id", "email_id", "lane", "due", "attempts", "reason")
SELECT "project_id", "id", CASE "source" WHEN 'TRANSACTIONAL' THEN 0 WHEN 'WORKFLOW' THEN 1 ELSE 2 END,
  CASE WHEN "wake_at" > clock_timestamp() AND "attempts" > 0 THEN "wake_at" END, "attempts", "reason"
FROM "emails" WHERE "wake_at" IS NOT NULL;

-- From now on they are delivered by this version only.
UPDATE "emails" SET "status" = 'PENDING', "wake_at" = NULL, "claim" = NULL WHERE "wake_at" IS NOT NULL;
