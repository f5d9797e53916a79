-- CreateTable
CREATE TABLE "workflow_inputs" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "workflow_inputs_pkey" PRIMARY KEY ("project_id","id")
);
