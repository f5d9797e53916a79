-- The erasures of contacts that are queued again are looked up by their contacts; while a million contacts are being deleted there are many.
create index concurrently "event_erasures_project_id_contact_id_idx" on "event_erasures"("project_id", "contact_id");
