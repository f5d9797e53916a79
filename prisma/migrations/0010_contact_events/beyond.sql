-- Filters read when an event last happened to a contact from the index of the key alone.
alter table contact_events drop constraint contact_events_pkey,
  add constraint contact_events_pkey primary key (project_id, name, contact_id) include (last_at);
