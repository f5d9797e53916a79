-- AlterTable
ALTER TABLE "emails" ADD COLUMN     "proved_at" TIMESTAMPTZ(3);
