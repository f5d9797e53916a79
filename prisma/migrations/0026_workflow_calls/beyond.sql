-- Rows come and go, and their time changes with each attempt: dead ones would be read again and again.
alter table workflow_calls set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
