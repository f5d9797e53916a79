-- CreateIndex
create index concurrently "events_epoch_xid_idx" on "events"("epoch", "xid");

-- CreateIndex
create index concurrently "events_project_id_epoch_xid_idx" on "events"("project_id", "epoch", "xid");
