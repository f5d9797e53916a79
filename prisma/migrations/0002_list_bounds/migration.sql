-- CreateIndex
CREATE UNIQUE INDEX "event_erasures_project_id_name_key" ON "event_erasures"("project_id", "name");
