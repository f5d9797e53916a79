-- When the condition of a segment was chosen: what it asks may have been deleted since. Null in segments from before.
ALTER TABLE "segments" ADD COLUMN     "condition_at" TIMESTAMPTZ(3);
