-- Whether an event of a contact waits to be handled is one lookup, however many of its project wait.
create index concurrently "workflow_lines_project_id_contact_id_place_idx" on "workflow_lines"("project_id", "contact_id", "place");
