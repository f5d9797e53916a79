-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "first_at" TIMESTAMPTZ(3),
ADD COLUMN     "uncertain" BOOLEAN NOT NULL DEFAULT false;
