import { onTestFinished } from 'vitest'
import { query } from './query.ts'
import type { TestWorld } from './world.ts'

/**
 * Lets statements that write some rows of a table fail with a SQLSTATE, as Postgres fails them without room for more: the first so many,
 * and all until the test has finished where no number is given. Returns how many have failed.
 */
export async function failWrites(
  { databaseUrl }: Pick<TestWorld, 'databaseUrl'>,
  { table, when, state, times = 1_000_000 }: { table: string; when: string; state: string; times?: number },
): Promise<() => Promise<number>> {
  const run = (text: string) => query(databaseUrl, text)
  // A sequence is not rolled back.
  await run('create sequence no_room')
  await run(
    `create function no_room() returns trigger language plpgsql as $$ begin
       if ${when} and nextval('no_room') <= ${times} then raise exception 'no room' using errcode = '${state}'; end if;
       return new; end $$`,
  )
  await run(`create trigger no_room before insert or update on ${table} for each row execute function no_room()`)
  onTestFinished(async () => {
    await run('drop function no_room cascade')
    await run('drop sequence no_room')
  })
  return async () => Math.min(times, Number((await run('select case when is_called then last_value else 0 end from no_room'))[0]?.[0]))
}
