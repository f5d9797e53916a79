-- The epoch of a new line: a function, so that it can follow the timeline of the server. It begins with the epoch so far;
-- the start of the program completes it.
do $$ begin
  execute format('create function log_epoch() returns smallint language sql stable parallel safe as %L', format('select (%s)::smallint',
    coalesce((select substring(pg_get_expr(d.adbin, d.adrelid) from '[0-9]+') from pg_attrdef d
      join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum where d.adrelid = 'events'::regclass and a.attname = 'epoch'), '1')));
end $$;

-- AlterTable
ALTER TABLE "emails" ALTER COLUMN "content_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "events" ALTER COLUMN "epoch" SET DEFAULT log_epoch();

-- AlterTable
ALTER TABLE "log_readers" ADD COLUMN     "active_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
