-- AlterTable
ALTER TABLE "emails" ADD COLUMN     "uncertain" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "campaign_departures" (
    "project_id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "sent" BOOLEAN NOT NULL,

    CONSTRAINT "campaign_departures_pkey" PRIMARY KEY ("project_id","campaign_id")
);

-- AddForeignKey
ALTER TABLE "campaign_departures" ADD CONSTRAINT "campaign_departures_project_id_campaign_id_fkey" FOREIGN KEY ("project_id", "campaign_id") REFERENCES "campaigns"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
