-- CreateEnum
CREATE TYPE "template_mode" AS ENUM ('HTML', 'VISUAL');

-- AlterTable
ALTER TABLE "templates" ADD COLUMN     "document" JSONB,
ADD COLUMN     "mode" "template_mode" NOT NULL DEFAULT 'HTML';

-- CreateTable
CREATE TABLE "template_versions" (
    "project_id" TEXT NOT NULL,
    "template_id" TEXT NOT NULL,
    "no" INTEGER NOT NULL,
    "subject" TEXT NOT NULL,
    "preview_text" TEXT,
    "body" TEXT NOT NULL,
    "document" JSONB,
    "bytes" INTEGER NOT NULL,
    "actor" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "template_versions_pkey" PRIMARY KEY ("project_id","template_id","no")
);

-- AddForeignKey
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_project_id_template_id_fkey" FOREIGN KEY ("project_id", "template_id") REFERENCES "templates"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
