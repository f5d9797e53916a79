-- CreateTable
CREATE TABLE "upload_totals" (
    "project_id" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "upload_totals_pkey" PRIMARY KEY ("project_id")
);

-- AddForeignKey
ALTER TABLE "upload_totals" ADD CONSTRAINT "upload_totals_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;
