-- Counts with events read the summaries from the index alone, as long as the pages of the table are known to be visible.
alter table contact_events set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
