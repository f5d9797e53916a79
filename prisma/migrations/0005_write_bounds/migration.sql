-- AlterTable
ALTER TABLE "contact_fields" ADD COLUMN     "key_kind" "key_kind" NOT NULL DEFAULT 'SECRET';

-- CreateTable
CREATE TABLE "contact_field_counts" (
    "project_id" TEXT NOT NULL,
    "fields" INTEGER NOT NULL,
    "public_fields" INTEGER NOT NULL,
    "public_today" INTEGER NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "contact_field_counts_pkey" PRIMARY KEY ("project_id")
);
