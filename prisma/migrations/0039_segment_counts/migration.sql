-- AlterTable
-- When the members of a segment were last counted.
ALTER TABLE "segments" ADD COLUMN     "counted_at" TIMESTAMPTZ(3);
