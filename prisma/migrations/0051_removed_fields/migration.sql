-- Fields and events that conditions ask and that were deleted: work that began before and goes on by such a condition ends.
CREATE TABLE "removed_fields" (
    "project_id" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "removed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "removed_fields_pkey" PRIMARY KEY ("project_id","field")
);

-- CreateIndex
CREATE INDEX "removed_fields_project_id_removed_at_idx" ON "removed_fields"("project_id", "removed_at");
