-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "finished_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "campaign_links" (
    "project_id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "link_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "clicks" INTEGER NOT NULL,
    "unique_clicks" INTEGER NOT NULL,
    "machine_clicks" INTEGER NOT NULL,

    CONSTRAINT "campaign_links_pkey" PRIMARY KEY ("project_id","campaign_id","link_id")
);

-- CreateTable
CREATE TABLE "campaign_link_visits" (
    "project_id" TEXT NOT NULL,
    "email_id" TEXT NOT NULL,
    "link_id" TEXT NOT NULL,

    CONSTRAINT "campaign_link_visits_pkey" PRIMARY KEY ("project_id","email_id","link_id")
);

-- AddForeignKey
ALTER TABLE "campaign_link_visits" ADD CONSTRAINT "campaign_link_visits_project_id_email_id_fkey" FOREIGN KEY ("project_id", "email_id") REFERENCES "emails"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A campaign that has ended does not change any more.
UPDATE "campaigns" SET "finished_at" = "updated_at" WHERE "status" IN ('SENT', 'CANCELLED');
