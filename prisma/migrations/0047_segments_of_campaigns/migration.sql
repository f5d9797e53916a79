-- The conditions that the segments of a campaign had when it started: whatever is changed of them, it goes to whom they meant then.
alter table "campaigns" add column "segments" json;
