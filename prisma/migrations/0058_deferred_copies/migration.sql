-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "copies" JSONB,
ADD COLUMN     "handed_at" TIMESTAMPTZ(3);

-- Holds the deliveries of which copies alone are left: versions without the column would send the whole email again.
INSERT INTO "delivery_workers" ("id", "until") VALUES ('copies', '9999-12-31 00:00:00+00') ON CONFLICT DO NOTHING;
