-- Executions stay, cancelled and emptied, when their contact is deleted.
alter table "workflow_executions" drop constraint "workflow_executions_project_id_contact_id_fkey";

-- Whether anybody waits for an event is one lookup, however many contacts it happens to.
create index "workflow_executions_waits_for" on "workflow_executions" ("project_id", "waits_for", "contact_id") where "waits_for" is not null;
drop index "workflow_executions_waits";
