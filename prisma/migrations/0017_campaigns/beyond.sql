-- The counts of a campaign are written with every batch of the log.
alter table campaign_counts set (fillfactor = 50);
-- Its emails in the queue: counted, put aside and taken back together.
create index deliveries_campaign_idx on deliveries (project_id, campaign_id) where campaign_id is not null;
-- Without what it needs an audience would be somebody else's, or everybody.
alter table campaigns add constraint campaigns_audience
  check ((audience_type <> 'SEGMENT' or segment_id is not null) and (audience_type <> 'FILTERED' or audience_filter is not null));
