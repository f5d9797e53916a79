-- CreateTable
CREATE TABLE "billing_deferrals" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "period" DATE NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "billing_deferrals_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "billing_remainders" (
    "project_id" TEXT NOT NULL,
    "period" DATE NOT NULL,
    "reported" INTEGER NOT NULL,
    "pending" INTEGER NOT NULL,
    "customer" TEXT NOT NULL,
    "dated_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "billing_remainders_pkey" PRIMARY KEY ("project_id","period","reported")
);
