-- AlterTable
ALTER TABLE "resets" ADD COLUMN     "actor" JSONB;
