-- The newest quarter of a project is written with every batch of the log.
alter table email_quarters set (fillfactor = 50);
-- The campaigns of a project by state, to be counted and compared, without reading their rows, which may have megabytes.
create index campaigns_states on campaigns (project_id, status, id) where deleted_at is null;
-- Those that are due next.
create index campaigns_scheduled on campaigns (project_id, scheduled_for) where status = 'SCHEDULED' and deleted_at is null;
