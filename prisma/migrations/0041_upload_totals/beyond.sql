-- What is stored already counts; a project that has more than its quota keeps it.
insert into upload_totals (project_id, bytes) select project_id, sum(size) from uploads group by project_id;
alter table upload_totals set (fillfactor = 50);
