-- What the search for jobs without progress reads; most jobs have ended.
create index jobs_open on jobs (progress_at) where finished_at is null;
-- CSV compresses little, and a part is read as a whole.
alter table job_file_parts alter column bytes set storage external;
