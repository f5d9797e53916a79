-- When it was last said to whom a campaign is sent: what its condition asks may be deleted before it starts. Null in campaigns from before.
ALTER TABLE "campaigns" ADD COLUMN     "audience_at" TIMESTAMPTZ(3);
