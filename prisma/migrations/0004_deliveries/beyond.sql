-- The emails that may be attempted now, by lane and project, oldest first. It contains no column that a claim changes, so that
-- claims touch no index.
create index deliveries_ready on deliveries (lane, project_id, email_id) where due is null;
-- The emails that wait for their next attempt: few.
create index deliveries_waiting on deliveries (due) where due is not null;

-- Room for the second, longer version of every row on its page: without it a claim would write every index.
alter table deliveries set (fillfactor = 35, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
  autovacuum_analyze_scale_factor = 0.05);
alter table delivery_workers set (fillfactor = 50);
-- Emails end in batches of neighbours.
alter table emails set (fillfactor = 50);
