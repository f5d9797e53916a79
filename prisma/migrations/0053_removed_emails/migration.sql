-- Emails that left and were removed with their contact or by a reset: late reports about them count towards the reputation of their project.
CREATE TABLE "removed_emails" (
    "project_id" TEXT NOT NULL,
    "email_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "copied" BOOLEAN NOT NULL,
    "bounced" BOOLEAN NOT NULL,
    "complained" BOOLEAN NOT NULL,
    "left_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "removed_emails_pkey" PRIMARY KEY ("project_id","email_id")
);

-- CreateIndex
CREATE INDEX "removed_emails_left_at_idx" ON "removed_emails"("left_at");
