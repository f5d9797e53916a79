-- CreateTable
CREATE TABLE "unlogged_events" (
    "project_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "unlogged_events_pkey" PRIMARY KEY ("project_id","contact_id","name")
);
