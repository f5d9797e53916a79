-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "to_contact" BOOLEAN NOT NULL DEFAULT false;
