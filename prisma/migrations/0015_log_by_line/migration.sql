-- DropIndex
DROP INDEX "events_epoch_xid_id_idx";

-- DropIndex
DROP INDEX "events_project_id_epoch_xid_id_idx";
