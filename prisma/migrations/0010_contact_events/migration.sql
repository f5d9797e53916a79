-- CreateTable
CREATE TABLE "contact_events" (
    "project_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_events_pkey" PRIMARY KEY ("project_id","name","contact_id")
);
