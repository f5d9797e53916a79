-- What a page of contacts reads, and what tells the lines and mails of deleted contacts apart while they are removed: the
-- one holds no deleted contact and the other nothing else, so that neither depends on how many are being removed.
create index contacts_live on contacts (project_id, id) where deleted_at is null;
create index contacts_deleted on contacts (project_id, id) where deleted_at is not null;
