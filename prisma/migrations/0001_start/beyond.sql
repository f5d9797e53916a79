-- What the datamodel cannot say.

-- Substring search over the contacts of one project.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create index contacts_search on contacts using gin (project_id, email gin_trgm_ops);

-- Addresses are lower-cased before anything else; the database holds us to it.
alter table contacts add constraint contacts_email_lower check (email = lower(email));
alter table suppressions add constraint suppressions_email_lower check (email = lower(email));

-- What a worker has to look at: a few rows of a table that grows without end.
create index emails_wake on emails (wake_at) where wake_at is not null;

-- Rows that are updated stay on their page, so that an update touches no index.
alter table emails set (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table contacts set (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table event_counts set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
alter table rate_windows set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
alter table send_buckets set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
alter table log_readers set (fillfactor = 50);
-- Append-only: fresh statistics and visibility for the newest rows, which is where everybody reads.
alter table events set (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- The log keeps what happened whatever becomes of the things it names: no foreign keys (the datamodel relates events to
-- contacts only so that Prisma can read across). A check a line would also be the dearest part of the hottest insert.
alter table events drop constraint events_project_id_contact_id_fkey;

-- A cap is held by the row that counts: a statement that would pass it is refused by Postgres itself.
alter table billing_usage add constraint billing_usage_ceiling check (ceiling is null or count <= ceiling);
-- The caps that may still have to be warned of. No column of it changes while mails are counted.
create index billing_usage_capped on billing_usage (period, project_id) where ceiling is not null and blocked_at is null;
alter table billing_usage set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
alter table reputations set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
alter table reputation_hours set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- A project is suspended for a reason once at a time; what has moved is a few rows of many.
create unique index suspensions_open on suspensions (project_id, reason) where lifted_at is null;
create index reputations_moved on reputations (project_id) where bounces_moved or complaints_moved;
