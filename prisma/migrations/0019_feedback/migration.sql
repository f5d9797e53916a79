-- AlterEnum
ALTER TYPE "email_status" ADD VALUE 'RECEIVED';

-- AlterEnum
ALTER TYPE "email_source" ADD VALUE 'INBOUND';

-- AlterTable
ALTER TABLE "emails" ADD COLUMN     "mailbox_error_at" TIMESTAMPTZ(3),
ADD COLUMN     "soft_bounced_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "sns_messages" (
    "id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "handled_at" TIMESTAMPTZ(3),

    CONSTRAINT "sns_messages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sns_messages_received_at_idx" ON "sns_messages"("received_at");

-- CreateIndex
CREATE INDEX "domains_domain_idx" ON "domains"("domain");
