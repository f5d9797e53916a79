-- The counts of a campaign are written with every batch of the log.
alter table campaign_counts set (fillfactor = 50);
-- Its emails in the queue: counted, put aside and taken back together.
create index deliveries_campaign_idx on deliveries (project_id, campaign_id) where campaign_id is not null;
