-- The workflows that an event starts, and those that some event ends: one lookup per line of the log.
create index workflows_triggers on workflows (project_id, event_name)
  where enabled and trigger_type = 'EVENT' and event_name is not null;
create index workflows_exits on workflows (project_id) where exit_events <> '{}';

-- Only executions that a worker will look at: one that waits for an event without a timeout, and one that has ended, is in none.
create index workflow_executions_due on workflow_executions (wake_at) where wake_at is not null;
create index workflow_executions_turns on workflow_executions (project_id, wake_at) where wake_at is not null;
create index workflow_executions_waits on workflow_executions (project_id, contact_id, waits_for) where waits_for is not null;

-- An event starts a workflow once.
create unique index workflow_executions_started_by on workflow_executions (project_id, started_by, workflow_id)
  where started_by is not null;
