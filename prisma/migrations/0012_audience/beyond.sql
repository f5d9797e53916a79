-- What a page of contacts ordered by address reads: without deleted contacts, whose ids stand for their addresses.
create index contacts_live_email on contacts (project_id, email) where deleted_at is null;

-- Counters: updated by every group of writes that creates or deletes something.
alter table contact_counts set (fillfactor = 20, autovacuum_vacuum_scale_factor = 0.02);
alter table email_counts set (fillfactor = 20, autovacuum_vacuum_scale_factor = 0.02);
alter table event_totals set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
insert into contact_counts (project_id, slot, count) select project_id, 0, count(*) from contacts where deleted_at is null group by project_id;
insert into email_counts (project_id, slot, count) select project_id, 0, count(*) from emails group by project_id;
insert into event_totals (project_id, count)
  select e.project_id, count(*) from events e join log_readers r on r.reader = 'counts' and (e.epoch, e.xid, e.id) <= (r.epoch, r.xid, r.id)
  group by e.project_id;

-- Substring search over the suppression list of one project.
create index suppressions_search on suppressions using gin (project_id, email gin_trgm_ops);
