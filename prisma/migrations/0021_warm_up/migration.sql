-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "template_id" TEXT;

-- AlterTable
ALTER TABLE "domains" ADD COLUMN     "warm_up_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "domain_sendings" (
    "project_id" TEXT NOT NULL,
    "domain_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "sent" INTEGER NOT NULL,

    CONSTRAINT "domain_sendings_pkey" PRIMARY KEY ("project_id","domain_id")
);

-- CreateIndex
CREATE INDEX "campaigns_project_id_template_id_id_idx" ON "campaigns"("project_id", "template_id", "id");

-- AddForeignKey
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_project_id_template_id_fkey" FOREIGN KEY ("project_id", "template_id") REFERENCES "templates"("project_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "domain_sendings" ADD CONSTRAINT "domain_sendings_project_id_domain_id_fkey" FOREIGN KEY ("project_id", "domain_id") REFERENCES "domains"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
