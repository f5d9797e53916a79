-- AlterTable
ALTER TABLE "email_contents" ADD COLUMN     "bytes" INTEGER;
