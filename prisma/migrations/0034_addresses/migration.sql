-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "to_contact" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
-- Whose campaigns are due is asked per project.
CREATE INDEX "campaigns_due_idx" ON "campaigns"("project_id", "wake_at") WHERE "wake_at" IS NOT NULL;

-- CreateIndex
CREATE INDEX "campaigns_active_idx" ON "campaigns"("project_id") WHERE "status" IN ('SCHEDULED', 'SENDING');
