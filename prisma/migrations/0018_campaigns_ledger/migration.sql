-- The ledger of a campaign: each contact is a recipient once.
create unique index concurrently "emails_campaign_key" on "emails"("project_id", "campaign_id", "contact_id") where "campaign_id" is not null;
