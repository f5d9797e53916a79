import type { Ctx } from '../../kit/context.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'
import { insertOptOuts, removeOptOuts, selectOptOuts } from './sql.ts'

/** What is remembered of an address that opted out once its contact is deleted: a keyed hash. */
export function optOutHash({ vault }: Pick<World, 'vault'>, { projectId, email }: { projectId: string; email: string }): string {
  return vault.fingerprint('opt-outs', `${projectId} ${email}`)
}

/** A contact that is deleted, and whether it has opted out itself. */
export interface Leaving {
  email: string
  subscribed: boolean
  optedOut: boolean
}

/** Remembers whether the addresses of contacts that are deleted have opted out; one that was subscribed again has not. */
export async function keepOptOuts(
  tx: Executor,
  { world, clock, projectId }: Pick<Ctx, 'world' | 'clock' | 'projectId'>,
  contacts: Leaving[],
): Promise<void> {
  const hashes = (some: Leaving[]): string[] => some.map(({ email }) => optOutHash(world, { projectId, email }))
  const [out, back] = [contacts.filter(({ optedOut }) => optedOut), contacts.filter(({ subscribed }) => subscribed)]
  if (out.length > 0) await tx.run(insertOptOuts, [projectId, hashes(out), clock.now()])
  if (back.length > 0) await tx.run(removeOptOuts, [projectId, hashes(back)])
}

/** Whether an address opted out that no contact has. */
export async function isOptedOutAddress(world: Pick<World, 'vault' | 'db'>, projectId: string, email: string): Promise<boolean> {
  return (await findOptedOut(world, projectId, [email])).size > 0
}

/** Those of the addresses that opted out and whose contact was deleted. */
export async function findOptedOut(world: Pick<World, 'vault' | 'db'>, projectId: string, emails: string[]): Promise<Set<string>> {
  const hashes = new Map(emails.map((email) => [optOutHash(world, { projectId, email }), email]))
  const rows = await world.db.run(selectOptOuts, [projectId, [...hashes.keys()]])
  return new Set(rows.flatMap(({ hash: found }) => hashes.get(found) ?? []))
}
