-- CreateEnum
CREATE TYPE "segment_type" AS ENUM ('DYNAMIC', 'STATIC');

-- CreateTable
CREATE TABLE "segments" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "type" "segment_type" NOT NULL,
    "condition" JSON,
    "track_membership" BOOLEAN NOT NULL DEFAULT false,
    "member_count" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "claim" TEXT,
    "claimed_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "segments_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "segment_members" (
    "project_id" TEXT NOT NULL,
    "segment_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "entered_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "segment_members_pkey" PRIMARY KEY ("project_id","segment_id","contact_id")
);

-- CreateIndex
CREATE INDEX "segments_due_at_idx" ON "segments"("due_at");

-- CreateIndex
CREATE INDEX "segment_members_project_id_contact_id_idx" ON "segment_members"("project_id", "contact_id");

-- CreateIndex
CREATE INDEX "segment_members_project_id_segment_id_entered_at_contact_id_idx" ON "segment_members"("project_id", "segment_id", "entered_at", "contact_id");

-- AddForeignKey
ALTER TABLE "segments" ADD CONSTRAINT "segments_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "segment_members" ADD CONSTRAINT "segment_members_project_id_contact_id_fkey" FOREIGN KEY ("project_id", "contact_id") REFERENCES "contacts"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
