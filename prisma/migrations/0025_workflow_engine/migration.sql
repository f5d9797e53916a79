-- AlterTable
ALTER TABLE "emails" ADD COLUMN     "execution_id" TEXT;
