-- What a contact may hold: 500 keys and 128 KB as JSON, without the spaces (at most two per key) that Postgres prints. Below
-- 2 KB neither can be reached, which is all that most writes have to find out. Rows written before stay as they are until
-- they are written again.
alter table contacts add constraint contacts_data_keys
  check (pg_column_size(data) <= 2048 or jsonb_array_length(jsonb_path_query_array(data, '$.*')) <= 500) not valid;
alter table contacts add constraint contacts_data_size
  check (pg_column_size(data) <= 2048 or octet_length(data::text) <= 128 * 1024 + 2 * 500) not valid;

-- How many custom fields a project may have, how many of them the public key may make, and how many of those in a day (UTC).
insert into contact_field_counts (project_id, fields, public_fields, public_today, day)
  select project_id, count(*), 0, 0, '1970-01-01' from contact_fields group by project_id;
alter table contact_field_counts add constraint contact_fields_max check (fields <= 2000) not valid;
alter table contact_field_counts add constraint contact_fields_public_max check (public_fields <= 1000);
alter table contact_field_counts add constraint contact_fields_public_day_max check (public_today <= 100);
alter table contact_field_counts set (fillfactor = 50);
