-- Since when the sender domain of a waiting email was found not to be verified. Null in emails from before.
ALTER TABLE "deliveries" ADD COLUMN     "unverified_at" TIMESTAMPTZ(3);
