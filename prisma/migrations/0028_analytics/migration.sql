-- CreateTable
CREATE TABLE "email_quarters" (
    "project_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "opened" INTEGER NOT NULL DEFAULT 0,
    "clicked" INTEGER NOT NULL DEFAULT 0,
    "bounced" INTEGER NOT NULL DEFAULT 0,
    "machine_opened" INTEGER NOT NULL DEFAULT 0,
    "machine_clicked" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "email_quarters_pkey" PRIMARY KEY ("project_id","at")
);

-- CreateIndex
CREATE INDEX "email_quarters_at_idx" ON "email_quarters"("at");
