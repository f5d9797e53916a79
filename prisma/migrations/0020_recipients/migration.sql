-- AlterTable
ALTER TABLE "domains" ADD COLUMN     "own_links" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "email_contents" ADD COLUMN     "preview_text" TEXT;

-- AlterTable
ALTER TABLE "emails" ADD COLUMN     "machine_clicks" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "machine_opens" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "utm" JSONB;

-- AlterTable
ALTER TABLE "templates" ADD COLUMN     "preview_text" TEXT;
