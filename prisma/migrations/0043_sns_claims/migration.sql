-- AlterTable
ALTER TABLE "sns_messages" ADD COLUMN     "claimed_at" TIMESTAMPTZ(3);
