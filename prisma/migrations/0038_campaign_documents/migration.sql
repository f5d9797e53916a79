-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "document" JSONB,
ADD COLUMN     "mode" "template_mode" NOT NULL DEFAULT 'HTML';
