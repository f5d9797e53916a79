-- Most contents have no template. An index over all of them, which begins with the project, was taken for joins by the id of a
-- content while its statistics were old, and read every content of the project.
create index email_contents_template on email_contents (project_id, template_id) where template_id is not null;
