-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "pace_waiting" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "waits_for" TEXT;

-- AlterTable
ALTER TABLE "workflow_executions" ADD COLUMN     "start_epoch" SMALLINT,
ADD COLUMN     "start_xid" xid8;

-- Until now, what an email waited for was known by its sentence only.
UPDATE "deliveries" SET "waits_for" = CASE
    WHEN "reason" = 'The campaign is paused.' THEN 'CAMPAIGN'
    WHEN "reason" = 'All sending is paused, because the mail server refused one email after the other. This email waits.' THEN 'TRANSPORT'
    WHEN "reason" LIKE 'Sending from % is paused, because the mail server refused one email after the other. This email waits.'
      THEN 'SENDER:' || substring("reason" FROM '^Sending from (\S+) is paused')
    WHEN "reason" LIKE 'The domain % is being warmed up, and today’s limit is reached: this email waits until tomorrow (UTC).'
      THEN 'WARM_UP:' || substring("reason" FROM '^The domain (\S+) is being')
  END
WHERE "due" IS NOT NULL AND ("reason" = 'The campaign is paused.' OR "reason" LIKE 'All sending is paused,%'
  OR "reason" LIKE 'Sending from % is paused,%' OR "reason" LIKE 'The domain % is being warmed up,%');
